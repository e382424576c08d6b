// Runs before the page is painted, so that it never appears in the colors of the other theme. It imports nothing: it is a script of its own.

try {
  const theme = localStorage.getItem('kontor.theme')
  if (theme) document.documentElement.dataset.theme = theme
} catch {
  // A browser that may not store anything has no theme of its own.
}
