import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import type { TestContext } from 'node:test'

/** Leads to a mail server on this machine. */
interface MailProxy {
  port: number
  /** How many connections there were. */
  readonly count: number
  /** How many are open. */
  readonly open: number
}

/** Breaks off where a client sends what matches `cut`, and changes what the server answers. */
export async function openProxy(
  t: Pick<TestContext, 'after'>,
  port: number,
  cut?: Pick<RegExp, 'test'>,
  change: (answer: string) => string = (answer) => answer,
): Promise<MailProxy> {
  let count = 0
  let open = 0
  const proxy = createServer((client) => {
    count++
    open++
    client.on('close', () => open--)
    const server = connect(port, '127.0.0.1')
    const end = () => {
      client.destroy()
      server.destroy()
    }
    for (const each of [client, server]) each.on('error', end).on('close', end)
    client.on('data', (asked) => {
      if (cut?.test(asked.toString('latin1'))) end()
      else server.write(asked)
    })
    server.on('data', (answer) => client.write(change(answer.toString('latin1')), 'latin1'))
  })
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  t.after(() => proxy.close())
  return {
    port: (proxy.address() as AddressInfo).port,
    get count() {
      return count
    },
    get open() {
      return open
    },
  }
}
