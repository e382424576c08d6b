import { RawConnection } from '../raw-connection.ts'

const connectionsMax = 32

/** Connections that are kept, on which requests are sent as fast as they are answered. */
export class Connections {
  readonly #url: string
  readonly #open = new Set<RawConnection>()
  #onResponse: (response: string, from: RawConnection) => void = () => {}
  #onClose: () => void = () => {}

  constructor(url: string) {
    this.#url = url
  }

  /** Opens those that are missing. */
  async open(): Promise<void> {
    const missing = Array.from({ length: connectionsMax - this.#open.size }, () => this.#openOne())
    for (const each of await Promise.all(missing)) this.#open.add(each)
  }

  /** Sends `count` requests. Throws if a response is not a success, or if a connection is closed. */
  async send(count: number, next: () => string): Promise<void> {
    let [sent, answered] = [0, 0]
    await new Promise<void>((resolve, reject) => {
      this.#onClose = () => reject(new Error('a connection was closed'))
      this.#onResponse = (response, from) => {
        if (!response.startsWith('HTTP/1.1 2')) reject(new Error(refusal(response)))
        if (++answered === count) resolve()
        if (sent++ < count) from.send(next())
      }
      for (const each of this.#open) {
        if (sent++ < count) each.send(next())
      }
    })
    this.#onClose = () => {}
  }

  close(): void {
    for (const each of this.#open) each.close()
  }

  async #openOne(): Promise<RawConnection> {
    const connection: RawConnection = await RawConnection.open(this.#url, {
      onResponse: (response) => this.#onResponse(response, connection),
      onClose: () => {
        this.#open.delete(connection)
        this.#onClose()
      },
    })
    return connection
  }
}

/** The status of a response, and the beginning of its body. */
function refusal(response: string): string {
  const [head, body] = response.split('\r\n\r\n', 2) as [string, string]
  return `${head.slice('HTTP/1.1 '.length, head.indexOf('\r\n'))}: ${body.slice(0, 200)}`
}
