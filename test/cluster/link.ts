import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import type { TestContext } from 'node:test'

/** A connection between two programs that can be cut: then nothing arrives any more, and nobody is told. */
export interface Link {
  port: number
  /** How many parts the program that connects has sent. */
  readonly sent: number
  cut(): void
  heal(): void
}

/** Forwards a port to another one on this machine. */
export async function openLink(t: Pick<TestContext, 'after'>, to: number): Promise<Link> {
  const pairs = new Set<[Socket, Socket]>()
  let isCut = false
  let sent = 0
  const server = createServer((near) => {
    near.on('error', () => near.destroy())
    const far = connect(to, '127.0.0.1')
    far.on('error', () => near.destroy())
    const pair: [Socket, Socket] = [near, far]
    pairs.add(pair)
    near.on('close', () => {
      far.destroy()
      pairs.delete(pair)
    })
    far.on('close', () => near.destroy())
    near.on('data', (part) => {
      sent++
      if (!isCut) far.write(part)
    })
    far.on('data', (part) => isCut || near.write(part))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const end = () => {
    for (const [near] of pairs) near.destroy()
  }
  t.after(() => {
    end()
    server.close()
  })
  return {
    port,
    get sent() {
      return sent
    },
    cut() {
      isCut = true
    },
    heal() {
      isCut = false
      end() // what was lost is never sent again
    },
  }
}
