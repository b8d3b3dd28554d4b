import shared from "../../words/pt.ts"
import type { TrackWords } from "./en.ts"

const words: TrackWords = {
  ...shared,
  title: "A sua viagem",
  pickup: "Recolha",
  dropoff: "Destino",
  map: "Mapa da viagem",
  fit: "Mostrar toda a viagem",
  pickupTime: "Recolha",
  carAndDriver: "Carro e motorista",
  car: "Carro",
  driver: "Motorista",
  plate: "Matrícula",
  call: "Ligar para o escritório",
  share: "Partilhar esta página",
  arrives: "Chega dentro de cerca de {time}",
  destinationIn: "No destino dentro de cerca de {time}",
  noPosition: "A posição aparecerá aqui dentro de momentos.",
  position: "Posição: {age}",
  goneHelp: "O acompanhamento termina uma hora depois da viagem. Peça um novo link ao escritório.",
  pin: "O seu código",
  pinHelp: "Diga este código ao motorista ao entrar.",
  phases: {
    unconfirmed: ["A sua viagem ainda não está confirmada", "Receberá uma mensagem assim que estiver."],
    booked: ["A sua viagem está reservada", "O motorista e o carro aparecerão aqui antes da recolha."],
    assigned: ["O seu motorista está pronto", "Assim que partir, verá o carro no mapa."],
    coming: ["O seu motorista está a caminho", ""],
    arrived: ["O seu motorista chegou", "Dirija-se ao carro, por favor."],
    onBoard: ["A viagem está em curso", ""],
    noShow: ["O seu motorista não o encontrou", "Ligue para o escritório, por favor."],
    over: ["Esta viagem terminou", "Obrigado por viajar connosco."],
    cancelled: ["Esta viagem foi cancelada", "Se não o esperava, ligue para o escritório."]
  },
  classes: {
    sedan: "Sedan",
    suv: "SUV",
    van: "Carrinha",
    minibus: "Minibus",
    bus: "Autocarro",
    limousine: "Limusina",
    other: ""
  }
}
export default words
