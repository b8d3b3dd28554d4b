import type { LaterWords } from "./en.ts"

const words: LaterWords = {
  finishAsk: "¿Terminar el viaje?",
  finishHelp: "El servicio termina, y su enlace con él.",
  noShowAsk: "¿Informar de que el pasajero no vino?",
  noShowHelp: "La oficina ve la hora y su posición.",
  earlyAsk: "¿Salir ya? La recogida es más tarde:",
  closeSign: "Cerrar",
  passenger: "Pasajero",
  people: "Personas",
  participants: "Participantes",
  luggage: "Equipaje",
  childSeats: "Sillas infantiles",
  flight: "Vuelo",
  car: "Coche",
  details: "Detalles",
  pinTitle: "El código del pasajero",
  pinHelp: "El pasajero ve cuatro cifras en la página de seguimiento.",
  pinWrong: "No es el código del pasajero. Pregúntelo otra vez.",
  pinTooMany: "Se han probado demasiados códigos. Espere un minuto e inténtelo de nuevo.",
  pinNone: "Sin código, pida a la oficina que indique que el pasajero está a bordo.",
  tracker: "Posición con la pantalla bloqueada",
  trackerHelp:
    "Esta página solo informa de su posición mientras está abierta. Una aplicación como Traccar Client u OwnTracks también lo hace con la pantalla bloqueada: indique allí esta dirección como servidor. Solo vale para este viaje; manténgala en secreto.",
  trackerAddress: "Dirección para la aplicación",
  copyAddress: "Copiar la dirección",
  pushTurnOn: "Avisarme de los trabajos en este navegador",
  pushIsOn: "Este navegador le avisa de sus trabajos.",
  pushBlocked: "Este navegador rechaza las notificaciones. Permítalas en sus ajustes.",
  pushFailed: "No se pudieron activar las notificaciones. Inténtelo de nuevo."
}
export default words
