// Shows the booking page of a business where this script stands: <script src="https://…/embed.js" data-book="SLUG"></script>
;(function () {
  const script = document.currentScript
  const data = script.dataset
  const page = new URL("book/" + encodeURIComponent(data.book), script.src)
  if (data.lang) page.searchParams.set("lang", data.lang)
  const frame = document.createElement("iframe")
  frame.src = page.href
  frame.title = data.title || "Booking"
  frame.style.cssText = "display:block;width:100%;border:0;height:900px"
  addEventListener("message", function (event) {
    const height = event.data && event.data.liveryHeight
    if (event.source === frame.contentWindow && event.origin === page.origin && height > 0)
      frame.style.height = height + "px"
  })
  script.after(frame)
})()
