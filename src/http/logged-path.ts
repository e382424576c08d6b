const lengthMax = 200
const key = /svc_(?:live|test)_[a-z\d]*/gi

/** A path, which its caller wrote, as JSON text for the log: of bounded length, and without a key that was pasted into it. */
export function pathText(path: string): string {
  if (path.length <= lengthMax && !path.includes('svc_') && !path.includes('%')) return JSON.stringify(path)
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
