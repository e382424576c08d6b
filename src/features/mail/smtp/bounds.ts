/** The bounds of the SMTP door (decision P8). Times are in milliseconds. */
export interface SmtpBounds {
  /** Open connections in total, and of one client address; IPv6 addresses count by their /64. */
  readonly connectionsMax: number
  readonly connectionsPerClientMax: number
  readonly recipientsMax: number
  readonly messageBytesMax: number
  /** How long a client may send nothing while the server waits for it. */
  readonly idleMs: number
  /** How long the commands before a message may take, and how many bytes they may have. */
  readonly commandsMs: number
  readonly commandBytesMax: number
  /** A message has this time, and a second for so many bytes, up to a limit. */
  readonly dataMs: number
  readonly dataBytesPerSecondMin: number
  readonly dataMsMax: number
  /** How many messages are delivered at a time (of one client: one fewer), and how long one may take, the wait included. */
  readonly deliveriesMax: number
  readonly deliveryMs: number
  /** The bytes of messages that are not delivered yet, in total and of one client address. */
  readonly spoolBytesMax: number
  readonly spoolBytesPerClientMax: number
}

const MiB = 2 ** 20
const secondMs = 1_000
const minuteMs = 60 * secondMs

export const smtpBounds: SmtpBounds = {
  connectionsMax: 100,
  connectionsPerClientMax: 10,
  recipientsMax: 100,
  messageBytesMax: 40 * MiB,
  idleMs: minuteMs,
  commandsMs: 5 * minuteMs,
  commandBytesMax: MiB / 4,
  dataMs: minuteMs,
  dataBytesPerSecondMin: 4_096,
  dataMsMax: 60 * minuteMs,
  deliveriesMax: 4,
  deliveryMs: 5 * minuteMs,
  spoolBytesMax: 1_024 * MiB,
  spoolBytesPerClientMax: 512 * MiB,
}
