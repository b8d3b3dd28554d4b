import type { SharedWords } from "./en.ts"

const words: SharedWords = {
  language: "Idioma",
  loading: "Cargando",
  retry: "Reintentar",
  close: "Cerrar",
  cancel: "Cancelar",
  back: "Atrás",
  unreachable: "Sin conexión. Compruebe su conexión a internet e inténtelo de nuevo.",
  serverFault: "Algo ha fallado por nuestra parte. Inténtelo de nuevo en un momento.",
  unavailable: "Esto no es posible por un momento. No ha cambiado nada. Inténtelo de nuevo en unos minutos.",
  tooMany: "Demasiadas solicitudes. Espere un minuto e inténtelo de nuevo.",
  moved: "Esta empresa se ha trasladado a {url}. Inicie sesión allí.",
  openMoved: "Abrir la nueva dirección",
  offline: "No tiene conexión. Esta página se actualizará en cuanto vuelva a conectarse.",
  gone: "Este enlace ya no funciona",
  pageMissing: "Esta página no existe",
  pageMissingHelp: "Compruebe la dirección o abra de nuevo el enlace de su mensaje.",
  fixFields: "Revise los campos marcados.",
  copied: "Enlace copiado",
  zone: "Zona horaria: {zone}",
  yourTime: "{time} en su hora",
  required: "Rellene este campo.",
  invalid: "Revise este valor.",
  tooShort: "Es demasiado corto.",
  tooLong: "Es demasiado largo.",
  outOfRange: "Este valor no es posible.",
  unknownValue: "Elija uno de los valores ofrecidos.",
  noSuchRecord: "No se ha encontrado."
}
export default words
