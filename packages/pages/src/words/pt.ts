import type { SharedWords } from "./en.ts"

const words: SharedWords = {
  language: "Idioma",
  loading: "A carregar",
  retry: "Tentar novamente",
  close: "Fechar",
  cancel: "Cancelar",
  back: "Voltar",
  unreachable: "Sem ligação. Verifique a sua ligação à internet e tente novamente.",
  serverFault: "Algo correu mal do nosso lado. Tente novamente dentro de momentos.",
  unavailable:
    "De momento, isto não é possível. Nada foi alterado. Tente novamente dentro de alguns minutos.",
  tooMany: "Demasiados pedidos. Aguarde um minuto e tente novamente.",
  moved: "Esta empresa mudou-se para {url}. Inicie sessão nesse endereço.",
  openMoved: "Abrir o novo endereço",
  offline: "Está offline. Esta página atualiza-se assim que voltar a ter ligação.",
  gone: "Este link já não funciona",
  pageMissing: "Esta página não existe",
  pageMissingHelp: "Verifique o endereço ou abra de novo o link da sua mensagem.",
  fixFields: "Verifique os campos assinalados.",
  copied: "Link copiado",
  zone: "Fuso horário: {zone}",
  yourTime: "{time} na sua hora",
  required: "Preencha este campo.",
  invalid: "Verifique este valor.",
  tooShort: "É demasiado curto.",
  tooLong: "É demasiado longo.",
  outOfRange: "Este valor não é possível.",
  unknownValue: "Escolha um dos valores apresentados.",
  noSuchRecord: "Não encontrado."
}
export default words
