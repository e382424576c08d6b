import { connect, type Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'

const timeoutMs = 30_000
const replyLengthMax = 65_536

interface Reply {
  readonly code: number
  readonly lines: readonly string[]
}

/** The client's part of an SMTP session, command by command. Each step rejects if nothing comes in time, or the server closes. */
export class SmtpDialogue {
  #socket: Socket
  #received = ''
  #fault: Error | undefined
  #wake: () => void = () => {}

  private constructor(socket: Socket) {
    this.#socket = socket
    this.#listen()
  }

  static connect(host: string, port: number): Promise<SmtpDialogue> {
    return new Promise((resolve, reject) => {
      const socket = connect({ host, port, timeout: timeoutMs })
      socket.once('connect', () => resolve(new SmtpDialogue(socket)))
      socket.once('timeout', () => socket.destroy(new Error(`no answer within ${timeoutMs / 1_000} s`)))
      socket.once('error', reject)
    })
  }

  /** Sends a command and returns its reply. Rejects unless its code is the expected one. */
  async command(text: string, expected: number): Promise<Reply> {
    this.#socket.write(`${text}\r\n`)
    return this.expect(expected)
  }

  async expect(expected: number): Promise<Reply> {
    const reply = await this.#reply()
    if (reply.code === expected) return reply
    throw new Error(`the server answers ${reply.code} ${reply.lines.join(' ')}`)
  }

  /** Begins to encrypt. The certificate is not verified, as servers that send mail do not. */
  async secure(): Promise<TLSSocket> {
    const { connect: connectSecurely } = await import('node:tls')
    this.#socket.removeAllListeners()
    const socket = connectSecurely({ socket: this.#socket, rejectUnauthorized: false })
    await new Promise<void>((resolve, reject) => {
      socket.once('secureConnect', resolve)
      socket.once('error', reject)
      socket.setTimeout(timeoutMs, () => socket.destroy(new Error('no TLS handshake in time')))
    })
    this.#socket = socket
    this.#received = ''
    this.#listen()
    return socket
  }

  close(): void {
    this.#socket.destroy()
  }

  #listen(): void {
    const socket = this.#socket
    socket.setEncoding('latin1')
    socket.setTimeout(timeoutMs, () => socket.destroy(new Error(`no answer within ${timeoutMs / 1_000} s`)))
    socket.on('data', (text: string) => {
      this.#received += text
      if (this.#received.length > replyLengthMax) socket.destroy(new Error('the reply is too long'))
      this.#wake()
    })
    socket.on('error', (error) => {
      this.#fault = error
    })
    socket.on('close', () => {
      this.#fault ??= new Error('the server closed the connection')
      this.#wake()
    })
  }

  async #reply(): Promise<Reply> {
    for (;;) {
      const end = /^\d{3}(?: .*)?\r\n/m.exec(this.#received)
      if (end) {
        const text = this.#received.slice(0, end.index + end[0].length)
        this.#received = this.#received.slice(text.length)
        const lines = text.split('\r\n').slice(0, -1)
        return { code: Number(lines.at(-1)!.slice(0, 3)), lines: lines.map((line) => line.slice(4)) }
      }
      if (this.#fault) throw this.#fault
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }
}
