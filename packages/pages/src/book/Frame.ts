/** Tells the site that shows the page in a frame how high the page is, for the script of `public/embed.js`. */
document.documentElement.classList.add("framed")

const tell = () => {
  // The height is no secret, and the page does not know the origin of that site.
  parent.postMessage({ liveryHeight: document.body.offsetHeight }, "*")
}

new ResizeObserver(tell).observe(document.body)
