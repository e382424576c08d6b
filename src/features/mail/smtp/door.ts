import type { Server, Socket } from 'node:net'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'
import { Unfinished } from '../../../content/unfinished.ts'
import { Budget } from '../../../lib/budget.ts'
import { secondMs } from '../../../lib/clock.ts'
import { type SmtpBounds, smtpBounds } from './bounds.ts'
import { type Client, Clients } from './clients.ts'
import { listenAt } from './listen.ts'
import { type Deliver, type Receiving, receive } from './receive.ts'
import { recipientOf } from './recipient.ts'
import { Refusal, refusalOf } from './reply.ts'
import { Slots } from './slots.ts'

interface SmtpDoorOptions {
  /** The only domain for which mail is taken, in ASCII and lower case. */
  readonly domain: string
  /** Where messages arrive. */
  readonly directory: string
  /** Whether an address of the domain, in lower case, exists. Throws SERVICE_UNAVAILABLE if its company is not served here. */
  readonly takes: (address: string) => boolean
  readonly deliver: Deliver
  /** Throws ApiError if this server does not accept writes at present. */
  readonly requireWritable: () => void
  readonly isTest?: (head: string) => boolean
  /** Returns the certificate for STARTTLS, and calls the function when it is renewed. Undefined: there is no STARTTLS. */
  readonly certificate?: ((renewed: (options: SmtpTls) => void) => SmtpTls) | undefined
  readonly bounds?: SmtpBounds
}

export interface SmtpTls {
  readonly key: string
  readonly cert: string
}

type Done = (error?: Error | null) => void

/** `smtp-server` answers these although nobody needs them. */
const disabledCommands = ['AUTH', 'XCLIENT', 'XFORWARD', 'WIZ', 'SHELL', 'KILL', 'HELP']
const commandLengthMax = 2_048
/** How long, in milliseconds, a client that is refused can read why. */
const lingerMs = 1_000

/** Takes mail by SMTP (decision P3): for one domain and the addresses that exist, without passwords, and without relaying. */
export class SmtpDoor {
  readonly #options: SmtpDoorOptions
  readonly #bounds: SmtpBounds
  readonly #clients: Clients
  readonly #receiving: Receiving
  readonly #smtp: SMTPServer
  #server: Server | undefined
  #timer: NodeJS.Timeout | undefined
  #isClosing = false

  constructor(options: SmtpDoorOptions) {
    const { bounds = smtpBounds, directory, takes, deliver, isTest = () => false } = options
    this.#options = options
    this.#bounds = bounds
    this.#clients = new Clients(bounds)
    this.#receiving = {
      ...{ bounds, takes, deliver, isTest },
      spool: new Unfinished(directory, { isSynced: true }),
      space: new Budget({ total: bounds.spoolBytesMax, share: bounds.spoolBytesPerClientMax }),
      slots: new Slots(bounds.deliveriesMax),
    }
    this.#smtp = this.#createSmtp()
  }

  /** How many connections are open. */
  get connections(): number {
    return this.#clients.size
  }

  /** Listens (port 0: a free one) and returns its address as a URL. What an earlier process has not delivered was not acknowledged. Throws OperatorError. */
  async open({ host, port }: { host: string; port: number }): Promise<string> {
    await this.#receiving.spool.removeBefore(Number.POSITIVE_INFINITY)
    const { server, url } = await listenAt(host, port, (socket) => this.#accept(socket))
    server.maxConnections = 2 * this.#bounds.connectionsMax // those that are told why they are refused included
    this.#server = server
    return url
  }

  /** Finishes what is under way, for at most `msMax` milliseconds, then ends. */
  async close(msMax: number): Promise<void> {
    this.#isClosing = true
    const closed = new Promise((resolve) => this.#server?.close(resolve) ?? resolve(undefined))
    for (const client of this.#clients.all()) if (client.phase === 'commands') this.#end(client, shuttingDown)
    const rest = setTimeout(() => this.#destroyAll(), msMax)
    await this.#clients.none()
    clearTimeout(rest)
    await this.#receiving.slots.idle()
    await closed
    clearInterval(this.#timer)
  }

  #createSmtp(): SMTPServer {
    const { domain, certificate } = this.#options
    const { idleMs, messageBytesMax, recipientsMax } = this.#bounds
    const tls = certificate?.((renewed) => this.#smtp.updateSecureContext(renewed))
    const smtp = new SMTPServer({
      ...tls,
      name: domain,
      size: messageBytesMax,
      maxRecipients: recipientsMax,
      maxCommandLength: commandLengthMax,
      socketTimeout: idleMs,
      disabledCommands: tls ? disabledCommands : [...disabledCommands, 'STARTTLS'], // without: a certificate of the library
      disableReverseLookup: true,
      heloResponse: '%s',
      logger: false,
      onConnect: (_session, done) => this.#check(done, () => this.#requireWritable()),
      onMailFrom: (_address, _session, done) => this.#check(done, () => this.#requireWritable()),
      onRcptTo: ({ address }, _session, done) => this.#check(done, () => this.#requireAddress(address)),
      onData: (stream, session, done) => void this.#receive(stream, session, done),
      onClose: ({ id }) => this.#clients.remove(id),
    })
    smtp.on('error', () => {}) // faults of clients, such as of their TLS
    return smtp
  }

  #accept(socket: Socket): void {
    socket.on('error', () => {})
    const client = this.#isClosing ? shuttingDown : this.#clients.add(socket)
    if (typeof client === 'string') return void refuse(socket, `421 ${this.#options.domain} ${client}\r\n`)
    socket.once('close', () => this.#clients.remove(client.id)) // STARTTLS removes this listener
    this.#timer ??= setInterval(() => this.#endLate(), secondMs).unref()
    this.#smtp.connect(socket, { id: client.id })
  }

  #check(done: Done, run: () => void): void {
    let refusal: Refusal | undefined
    try {
      run()
    } catch (error) {
      refusal = refusalOf(error)
    }
    setImmediate(done, refusal) // at once, `smtp-server` stops at the second of several messages that a client sends without waiting
  }

  /** Throws Refusal (421). */
  #requireWritable(): void {
    if (this.#isClosing) throw new Refusal(421, shuttingDown)
    try {
      this.#options.requireWritable()
    } catch (error) {
      throw new Refusal(421, refusalOf(error).message)
    }
  }

  /** Throws Refusal. */
  #requireAddress(given: string): void {
    const { address, domain } = recipientOf(given)
    if (domain !== this.#options.domain) throw new Refusal(550, `Only mail for ${this.#options.domain} is taken here`)
    if (!this.#options.takes(address)) throw new Refusal(550, 'No such address')
  }

  async #receive(
    stream: SMTPServerDataStream,
    session: SMTPServerSession,
    done: (error: Error | null, reply?: string) => void,
  ): Promise<void> {
    const client = this.#clients.lookup(session.id)
    if (!client) return done(new Refusal(421, shuttingDown)) // it has just gone
    this.#clients.enter(client, 'data')
    stream.once('end', () => this.#clients.enter(client, 'delivery'))
    const received = await receive(this.#receiving, client.name, session, stream).catch((error: Refusal) => error)
    this.#clients.enter(client, 'commands')
    if (received instanceof Refusal) done(received)
    else done(null, received)
    if (this.#isClosing) this.#end(client, shuttingDown)
  }

  #endLate(): void {
    for (const client of this.#clients.late()) this.#end(client, 'Too slow, try again later')
    if (this.#clients.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #end({ id, socket }: Client, why: string): void {
    const connection = [...this.#smtp.connections].find((each) => each.id === id)
    if (connection) connection.send(421, why)
    else socket.destroy() // it has been told
  }

  #destroyAll(): void {
    for (const { socket } of this.#clients.all()) socket.destroy()
  }
}

const shuttingDown = 'The server is shutting down, try again later'

function refuse(socket: Socket, line: string): void {
  const timer = setTimeout(() => socket.destroy(), lingerMs).unref()
  socket.once('close', () => clearTimeout(timer))
  socket.resume()
  socket.end(line)
}
