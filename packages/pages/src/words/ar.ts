import type { SharedWords } from "./en.ts"

const words: SharedWords = {
  language: "اللغة",
  loading: "جارٍ التحميل",
  retry: "إعادة المحاولة",
  close: "إغلاق",
  cancel: "إلغاء",
  back: "رجوع",
  unreachable: "لا يوجد اتصال. تحقق من اتصالك بالإنترنت ثم أعد المحاولة.",
  serverFault: "حدث خطأ من جانبنا. يرجى المحاولة مرة أخرى بعد قليل.",
  tooMany: "طلبات كثيرة جدًا. انتظر دقيقة ثم أعد المحاولة.",
  offline: "أنت غير متصل. ستُحدَّث هذه الصفحة فور عودة الاتصال.",
  gone: "لم يعد هذا الرابط يعمل",
  pageMissing: "هذه الصفحة غير موجودة",
  pageMissingHelp: "تحقق من العنوان أو افتح الرابط من رسالتك مرة أخرى.",
  fixFields: "يرجى مراجعة الحقول المحددة.",
  copied: "تم نسخ الرابط",
  zone: "المنطقة الزمنية: {zone}",
  yourTime: "{time} بتوقيتك",
  required: "يرجى ملء هذا الحقل.",
  invalid: "يرجى مراجعة هذه القيمة.",
  tooShort: "هذا قصير جدًا.",
  tooLong: "هذا طويل جدًا.",
  outOfRange: "هذه القيمة غير ممكنة.",
  unknownValue: "يرجى اختيار إحدى القيم المتاحة.",
  noSuchRecord: "غير موجود."
}
export default words
