import shared from "../../words/pt.ts"
import type { DriveWords } from "./en.ts"

const words: DriveWords = {
  ...shared,
  title: "A sua viagem",
  jobs: "As suas viagens",
  noJobs: "Sem viagens de momento",
  noJobsHelp: "As novas viagens aparecem aqui sozinhas.",
  signInFirst: "Inicie sessão para ver as suas viagens",
  signIn: "Iniciar sessão",
  goneHelp:
    "A sua viagem terminou, ou o escritório enviou-lhe um link mais recente. Pergunte ao escritório se esperava uma viagem aqui.",
  setOut: "Partir",
  arrive: "Cheguei",
  board: "Passageiro a bordo",
  atStop: "Cheguei à paragem {number}",
  finish: "Terminar a viagem",
  close: "Fechar o serviço",
  callPassenger: "Ligar ao passageiro",
  callOffice: "Ligar ao escritório",
  navigate: "Navegar",
  map: "Mapa",
  sign: "Placa de receção",
  pickup: "Recolha",
  dropoff: "Destino",
  stop: "Paragem {number}",
  lastContact: "Último contacto: {age}",
  noContact: "Sem ligação.",
  waiting: "Comunicações em espera: {count}. São enviadas sozinhas assim que houver ligação.",
  positionOff: "A sua posição não é comunicada. Permita-a a esta página nas definições do navegador.",
  refused: "A última comunicação foi recusada:",
  phases: {
    unconfirmed: "O escritório ainda não confirmou esta viagem",
    ready: "Pronto a partir",
    coming: "A caminho da recolha",
    waiting: "À espera do passageiro",
    onBoard: "Passageiro a bordo",
    noShow: "O passageiro não veio",
    done: "Este serviço está concluído",
    declined: "Recusou este serviço",
    cancelled: "Este serviço foi cancelado"
  }
}
export default words
