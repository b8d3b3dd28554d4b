import type { LaterWords } from "./en.ts"

const words: LaterWords = {
  finishAsk: "Terminar a viagem?",
  finishHelp: "O serviço termina, e o seu link com ele.",
  noShowAsk: "Comunicar que o passageiro não veio?",
  noShowHelp: "O escritório vê a hora e a sua posição.",
  earlyAsk: "Partir já? A recolha é mais tarde:",
  closeSign: "Fechar",
  passenger: "Passageiro",
  people: "Pessoas",
  participants: "Participantes",
  luggage: "Bagagem",
  childSeats: "Cadeiras de criança",
  flight: "Voo",
  car: "Carro",
  details: "Detalhes",
  pinTitle: "O código do passageiro",
  pinHelp: "O passageiro vê quatro algarismos na página da viagem.",
  pinWrong: "Este não é o código do passageiro. Pergunte novamente.",
  pinTooMany: "Foram tentados demasiados códigos. Aguarde um minuto e tente de novo.",
  pinNone: "Sem código, peça ao escritório que comunique que o passageiro está a bordo.",
  tracker: "Posição com o ecrã bloqueado",
  trackerHelp:
    "Esta página só comunica a sua posição enquanto está aberta. Uma aplicação como o Traccar Client ou o OwnTracks também o faz com o ecrã bloqueado: indique lá este endereço como servidor. Só é válido para esta viagem; mantenha-o em segredo.",
  trackerAddress: "Endereço para a aplicação",
  copyAddress: "Copiar o endereço",
  pushTurnOn: "Avisar-me dos serviços neste navegador",
  pushIsOn: "Este navegador avisa-o dos seus serviços.",
  pushBlocked: "Este navegador recusa notificações. Permita-as nas suas definições.",
  pushFailed: "Não foi possível ativar as notificações. Tente novamente."
}
export default words
