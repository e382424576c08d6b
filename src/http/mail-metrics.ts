import type { Counter, Gauge, Registry } from 'prom-client'

/** What became of messages at their addresses, since the process started. */
interface MailCount {
  readonly door: string
  readonly outcome: string
  readonly count: number
}

export interface MailMeasures {
  /** How many SMTP connections are open. */
  connections(): number
  counts(): Iterable<MailCount>
}

/** Registers what is measured of mail. */
export function mailHealth(
  prom: { Gauge: typeof Gauge; Counter: typeof Counter },
  register: Registry,
  { connections, counts }: MailMeasures,
): void {
  new prom.Gauge({
    name: 'kontor_smtp_connections',
    help: 'Open connections of the SMTP door',
    registers: [register],
    collect() {
      this.set(connections())
    },
  })
  new prom.Counter({
    name: 'kontor_mail_messages_total',
    help: 'Messages by door and outcome, counted at each of their addresses; later: to be sent again',
    labelNames: ['door', 'outcome'],
    registers: [register],
    collect() {
      this.reset()
      for (const { door, outcome, count } of counts()) this.inc({ door, outcome }, count)
    },
  })
}
