import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'

/** Forwards requests to a server with a key, for programs that cannot send one. Returns its URL. */
export async function proxyWithKey(t: TestContext, target: string, key: string): Promise<string> {
  const server = createServer((req, res) => {
    const headers = { ...req.headers, authorization: `Bearer ${key}` }
    const outgoing = request(`${target}${req.url}`, { method: req.method, headers }, (response) => {
      res.writeHead(response.statusCode!, response.headers)
      response.on('error', () => res.destroy())
      response.pipe(res)
    })
    for (const stream of [req, res, outgoing]) stream.on('error', () => res.destroy())
    req.pipe(outgoing)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  return `http://localhost:${(server.address() as AddressInfo).port}`
}
