const lengthMax = 200

/** What nearly every path is: short, and nothing in it to be escaped. */
const plain = new RegExp(`^[\\w/.~:@-]{0,${lengthMax}}$`)
const key = /svc_(?:live|test)_[a-z\d]*/gi

/** A path, which its caller wrote, as JSON text for the log: of bounded length, and without a key that was pasted into it. */
export function pathText(path: string): string {
  if (plain.test(path) && !path.includes('svc_')) return `"${path}"`
  const decoded = decode(path)
  const readable = decoded.search(key) === -1 ? path : decoded
  const masked = readable.replace(key, '[key]')
  return JSON.stringify(masked.length <= lengthMax ? masked : `${masked.slice(0, lengthMax)}…`)
}

/** Without percent signs as far as they can be read: they may hide a key. */
function decode(path: string): string {
  return path.replace(/%[\da-f]{2}/gi, (escaped) => {
    const code = Number.parseInt(escaped.slice(1), 16)
    return code < 0x80 ? String.fromCharCode(code) : escaped
  })
}
