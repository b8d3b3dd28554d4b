import shared from "../../words/es.ts"
import type { DriveWords } from "./en.ts"

const words: DriveWords = {
  ...shared,
  title: "Su viaje",
  jobs: "Sus viajes",
  noJobs: "No hay viajes por ahora",
  noJobsHelp: "Los viajes nuevos aparecen aquí solos.",
  signInFirst: "Inicie sesión para ver sus viajes",
  signIn: "Iniciar sesión",
  goneHelp:
    "Su viaje ha terminado, o la oficina le ha enviado un enlace más nuevo. Pregunte a la oficina si esperaba un viaje aquí.",
  setOut: "Salir",
  arrive: "He llegado",
  board: "Pasajero a bordo",
  atStop: "He llegado a la parada {number}",
  finish: "Terminar el viaje",
  close: "Cerrar el servicio",
  callPassenger: "Llamar al pasajero",
  callOffice: "Llamar a la oficina",
  navigate: "Navegar",
  map: "Mapa",
  sign: "Cartel de bienvenida",
  pickup: "Recogida",
  dropoff: "Destino",
  stop: "Parada {number}",
  lastContact: "Último contacto: {age}",
  noContact: "Sin conexión.",
  waiting: "Avisos en espera: {count}. Se envían solos en cuanto haya conexión.",
  positionOff: "No se informa de su posición. Permítala para esta página en los ajustes del navegador.",
  refused: "El último aviso fue rechazado:",
  phases: {
    unconfirmed: "La oficina aún no ha confirmado este viaje",
    ready: "Listo para salir",
    coming: "De camino a la recogida",
    waiting: "Esperando al pasajero",
    onBoard: "Pasajero a bordo",
    noShow: "El pasajero no vino",
    done: "Este servicio ha terminado",
    declined: "Ha rechazado este servicio",
    cancelled: "Este servicio fue cancelado"
  }
}
export default words
