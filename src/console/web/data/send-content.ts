import { onServer } from '../session/place.ts'

interface Sending {
  method: string
  headers: Readonly<Record<string, string>>
  content: Blob
  signal?: AbortSignal | undefined
  /** Gets how many bytes have been sent. */
  onProgress: (sent: number) => void
}

/** Like `fetch`, which does not tell how much it has sent. */
export function sendContent(
  path: string,
  { method, headers, content, signal, onProgress }: Sending,
): Promise<Response> {
  const sending = new XMLHttpRequest()
  const { promise, resolve, reject } = Promise.withResolvers<Response>()
  sending.open(method, onServer(path))
  sending.responseType = 'blob'
  for (const [name, value] of Object.entries(headers)) sending.setRequestHeader(name, value)
  sending.upload.onprogress = ({ loaded }) => onProgress(loaded)
  sending.onload = () => resolve(responseOf(sending))
  sending.onerror = () => reject(new TypeError())
  sending.onabort = () => reject(signal?.reason)
  signal?.addEventListener('abort', () => sending.abort())
  if (signal?.aborted) sending.abort()
  else sending.send(content)
  return promise
}

function responseOf(answered: XMLHttpRequest): Response {
  const lines = answered.getAllResponseHeaders().trim().split('\r\n')
  const headers = lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()])
  return new Response(answered.response as Blob, { status: answered.status, headers: headers as [string, string][] })
}
