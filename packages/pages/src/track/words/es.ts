import shared from "../../words/es.ts"
import type { TrackWords } from "./en.ts"

const words: TrackWords = {
  ...shared,
  title: "Su viaje",
  pickup: "Recogida",
  dropoff: "Destino",
  map: "Mapa del viaje",
  fit: "Mostrar todo el viaje",
  pickupTime: "Recogida",
  carAndDriver: "Coche y conductor",
  car: "Coche",
  driver: "Conductor",
  plate: "Matrícula",
  call: "Llamar a la oficina",
  share: "Compartir esta página",
  arrives: "Llega en unos {time}",
  destinationIn: "En el destino en unos {time}",
  noPosition: "La posición aparecerá aquí en un momento.",
  position: "Posición: {age}",
  goneHelp: "El seguimiento termina una hora después del viaje. Pida un enlace nuevo a la oficina.",
  pin: "Su código",
  pinHelp: "Dígale este código al conductor al subir.",
  phases: {
    unconfirmed: ["Su viaje aún no está confirmado", "Recibirá un mensaje en cuanto lo esté."],
    booked: ["Su viaje está reservado", "El conductor y el coche aparecerán aquí antes de la recogida."],
    assigned: ["Su conductor está listo", "En cuanto salga, verá el coche en el mapa."],
    coming: ["Su conductor está en camino", ""],
    arrived: ["Su conductor ha llegado", "Acérquese al coche, por favor."],
    onBoard: ["El viaje está en curso", ""],
    noShow: ["Su conductor no le ha encontrado", "Llame a la oficina, por favor."],
    over: ["Este viaje ha terminado", "Gracias por viajar con nosotros."],
    cancelled: ["Este viaje se ha cancelado", "Si no lo esperaba, llame a la oficina."]
  },
  classes: {
    sedan: "Berlina",
    suv: "SUV",
    van: "Monovolumen",
    minibus: "Minibús",
    bus: "Autobús",
    limousine: "Limusina",
    other: ""
  }
}
export default words
