import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { OperatorError } from '../../../errors.ts'
import { errorFields, log } from '../../../lib/log.ts'

/** Listens (port 0: a free one). Throws OperatorError. */
export async function listenAt(
  host: string,
  port: number,
  accept: (socket: Socket) => void,
): Promise<{ server: Server; url: string }> {
  const server = createServer(accept)
  await new Promise<void>((resolve, reject) => {
    server.once('error', ({ message }) => reject(new OperatorError(`Cannot take mail on ${host}:${port}: ${message}.`)))
    server.listen(port, host, resolve)
  })
  server.on('error', (error) => log('the SMTP door could not accept a connection', errorFields(error), 'error'))
  const { address, family, port: chosen } = server.address() as AddressInfo
  return { server, url: `smtp://${family === 'IPv6' ? `[${address}]` : address}:${chosen}` }
}
