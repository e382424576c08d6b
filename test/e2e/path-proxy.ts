import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream'
import type { TestContext } from 'node:test'

export interface PathProxy {
  /** `http://127.0.0.1:<port>/crm` */
  url: string
  /** The paths of requests that were not below the path of the proxy. */
  strays: string[]
  forwardTo(url: string): void
  /** Cuts the connection in the middle of the next response to a POST of this path. */
  cutNext(path: string): void
}

/** A proxy that forwards requests below `path` to a server, with the path or, if it `strips`, without. */
export async function openPathProxy(
  t: Pick<TestContext, 'after'>,
  path: string,
  { strips }: { strips: boolean },
): Promise<PathProxy> {
  const strays: string[] = []
  let target = ''
  let cut: string | undefined
  const server = createServer((req, res) => {
    const isCut = req.method === 'POST' && req.url === cut
    if (isCut) cut = undefined
    if (req.url!.startsWith(`${path}/`))
      return forward(req, res, target + (strips ? req.url!.slice(path.length) : req.url!), isCut)
    strays.push(req.url!)
    res.writeHead(404).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    strays,
    forwardTo(url) {
      target = url
    },
    cutNext(next) {
      cut = next
    },
  }
}

function forward(req: IncomingMessage, res: ServerResponse, to: string, isCut: boolean): void {
  const outgoing = request(to, { method: req.method, headers: req.headers }, (incoming) => {
    if (res.destroyed) return void incoming.destroy()
    res.writeHead(incoming.statusCode!, incoming.headers)
    if (isCut) return void incoming.once('data', (part) => res.write(part.subarray(0, 9), () => res.destroy()))
    pipeline(incoming, res, () => {})
  })
  outgoing.on('error', () => res.destroy())
  pipeline(req, outgoing, () => {})
}
