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
}

/** A proxy that forwards requests below `path` to a server, with the path or, if it `strips`, without. */
export async function openPathProxy(
  t: Pick<TestContext, 'after'>,
  path: string,
  { strips }: { strips: boolean },
): Promise<PathProxy> {
  const strays: string[] = []
  let target = ''
  const server = createServer((req, res) => {
    if (req.url!.startsWith(`${path}/`))
      return forward(req, res, target + (strips ? req.url!.slice(path.length) : req.url!))
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
  }
}

function forward(req: IncomingMessage, res: ServerResponse, to: string): void {
  const outgoing = request(to, { method: req.method, headers: req.headers }, (incoming) => {
    if (res.destroyed) return void incoming.destroy()
    res.writeHead(incoming.statusCode!, incoming.headers)
    pipeline(incoming, res, () => {})
  })
  outgoing.on('error', () => res.destroy())
  pipeline(req, outgoing, () => {})
}
