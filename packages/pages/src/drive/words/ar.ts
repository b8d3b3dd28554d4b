import shared from "../../words/ar.ts"
import type { DriveWords } from "./en.ts"

const words: DriveWords = {
  ...shared,
  title: "رحلتك",
  jobs: "رحلاتك",
  noJobs: "لا توجد رحلات حاليًا",
  noJobsHelp: "ستظهر الرحلات الجديدة هنا تلقائيًا.",
  signInFirst: "سجّل الدخول لرؤية رحلاتك",
  signIn: "تسجيل الدخول",
  goneHelp: "انتهت رحلتك أو أرسل إليك المكتب رابطًا أحدث. اسأل المكتب إذا كنت تتوقع رحلة هنا.",
  setOut: "الانطلاق",
  arrive: "وصلت",
  board: "الراكب في السيارة",
  atStop: "وصلت إلى المحطة {number}",
  finish: "إنهاء الرحلة",
  close: "إغلاق المهمة",
  callPassenger: "اتصل بالراكب",
  callOffice: "اتصل بالمكتب",
  navigate: "الملاحة",
  map: "الخريطة",
  sign: "لوحة الترحيب",
  pickup: "مكان الركوب",
  dropoff: "الوجهة",
  stop: "المحطة {number}",
  lastContact: "آخر اتصال: {age}",
  noContact: "لا يوجد اتصال.",
  waiting: "التقارير المنتظرة: {count}. ستُرسل تلقائيًا عند عودة الاتصال.",
  positionOff: "لا يتم الإبلاغ عن موقعك. اسمح لهذه الصفحة باستخدامه في إعدادات المتصفح.",
  refused: "رُفض آخر تقرير:",
  phases: {
    unconfirmed: "لم يؤكد المكتب هذه الرحلة بعد",
    ready: "جاهز للانطلاق",
    coming: "في الطريق إلى مكان الركوب",
    waiting: "في انتظار الراكب",
    onBoard: "الراكب في السيارة",
    noShow: "لم يأتِ الراكب",
    done: "انتهت هذه المهمة",
    declined: "رفضت هذه المهمة",
    cancelled: "أُلغيت هذه المهمة"
  }
}
export default words
