/** The value of `Content-Disposition` (RFC 6266): the name in ASCII, and in UTF-8 if that differs. */
export function dispositionOf(name: string, type: 'attachment' | 'inline'): string {
  const plain = name.replace(/[^\x20-\x7e]/gu, '_').replace(/["\\%]/g, '_')
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${type}; filename="${plain}"${plain === name ? '' : `; filename*=UTF-8''${encoded}`}`
}
