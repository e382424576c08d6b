import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below what systems give to connections and to servers that ask for any port: they would take it before it is used. */
const [portMin, portMax] = [20_000, 30_000]

/** A port that nobody uses at present. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(portMin, portMax)
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    server.close()
    await once(server, 'close')
    return port
  }
}
