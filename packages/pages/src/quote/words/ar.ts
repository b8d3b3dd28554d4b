import shared from "../../words/ar.ts"
import type { QuoteWords } from "./en.ts"

const words: QuoteWords = {
  ...shared,
  title: "عرض السعر الخاص بك",
  offer: "العرض {reference}",
  item: "الرحلة",
  amount: "السعر",
  total: "الإجمالي",
  from: "من",
  to: "إلى",
  pickup: "موعد الانطلاق",
  validUntil: "صالح حتى",
  onRequest: "عند الطلب",
  name: "اسمك",
  nameHint: "يُحفظ اسمك والوقت وعنوان اتصالك بالإنترنت مع موافقتك.",
  accept: "قبول العرض",
  decline: "رفض",
  declineTitle: "هل تريد رفض هذا العرض؟",
  reason: "السبب (اختياري)",
  accepted: "لقد قبلت هذا العرض",
  acceptedNext: "ستحجز {business} رحلتك الآن وترسل إليك تأكيدًا.",
  rejected: "لقد رفضت هذا العرض",
  rejectedNext: "إن كان ذلك خطأً، فيرجى الاتصال بالمكتب.",
  expired: "انتهت صلاحية هذا العرض",
  expiredNext: "اطلب عرضًا جديدًا من المكتب.",
  converted: "تم حجز رحلتك",
  convertedNext: "حجزت {business} ما قبلته. لا يلزمك فعل أي شيء آخر.",
  call: "اتصل بالمكتب",
  goneHelp: "ربما أرسل إليك المكتب عرضًا أحدث. افتح الرابط في آخر رسالة."
}
export default words
