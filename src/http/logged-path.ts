const lengthMax = 200
/** API keys, and the tokens of calendars. */
const key = /svc_(?:live|test)_[a-z\d]*|cal_[\w-]{20,}/gi

/** A request's path as JSON text for the log: of limited length, and with API keys and the tokens of calendars masked. */
export function pathText(path: string): string {
  if (path.length <= lengthMax && !path.includes('svc_') && !path.includes('cal_') && !path.includes('%'))
    return JSON.stringify(path)
  const decoded = decode(path)
  const readable = decoded.search(key) === -1 ? path : decoded
  const masked = readable.replace(key, '[key]')
  return JSON.stringify(masked.length <= lengthMax ? masked : `${masked.slice(0, lengthMax)}…`)
}

/** Decodes percent-encoded ASCII, which may hide a key. */
function decode(path: string): string {
  return path.replace(/%[\da-f]{2}/gi, (escaped) => {
    const code = Number.parseInt(escaped.slice(1), 16)
    return code < 0x80 ? String.fromCharCode(code) : escaped
  })
}
