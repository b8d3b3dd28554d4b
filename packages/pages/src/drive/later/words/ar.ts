import type { LaterWords } from "./en.ts"

const words: LaterWords = {
  finishAsk: "هل تريد إنهاء الرحلة؟",
  finishHelp: "تنتهي المهمة وينتهي معها رابطها.",
  noShowAsk: "هل تريد الإبلاغ بأن الراكب لم يأتِ؟",
  noShowHelp: "يرى المكتب الوقت وموقعك.",
  earlyAsk: "هل تنطلق الآن؟ موعد الركوب لاحقًا:",
  closeSign: "إغلاق",
  passenger: "الراكب",
  people: "الأشخاص",
  participants: "المشاركون",
  luggage: "الأمتعة",
  childSeats: "مقاعد الأطفال",
  flight: "الرحلة الجوية",
  car: "السيارة",
  details: "التفاصيل",
  pinTitle: "رمز الراكب",
  pinHelp: "يرى الراكب أربعة أرقام في صفحة متابعة الرحلة.",
  pinWrong: "هذا ليس رمز الراكب. اسأله مرة أخرى.",
  pinTooMany: "جُرّبت رموز كثيرة. انتظر دقيقة ثم حاول مرة أخرى.",
  pinNone: "بدون رمز، اطلب من المكتب الإبلاغ عن صعود الراكب.",
  tracker: "الموقع عند قفل الشاشة",
  trackerHelp:
    "تُبلغ هذه الصفحة عن موقعك ما دامت مفتوحة فقط. تطبيق مثل Traccar Client أو OwnTracks يفعل ذلك أيضًا عند قفل الشاشة: أدخل فيه هذا العنوان كخادم. العنوان لهذه الرحلة فقط، فلا تُطلع عليه أحدًا.",
  trackerAddress: "عنوان التطبيق",
  copyAddress: "نسخ العنوان"
}
export default words
