import { lookup, Resolver } from 'node:dns/promises'
import { createReadStream } from 'node:fs'
import { isIP } from 'node:net'
import { Readable } from 'node:stream'
import { dkimVerify } from 'mailauth/lib/dkim/verify.js'
import { spf } from 'mailauth/lib/spf/index.js'
import { getAlignment } from 'mailauth/lib/tools.js'
import { recordLengthMax, signatureBytesMax, signaturesMax } from './bounds.ts'
import type { Head } from './head.ts'
import type { SmtpSender } from './mail.ts'

/** How long name servers have for one message. */
const dnsMsMax = 5_000

interface Claim {
  readonly file: string
  readonly head: Head
  /** The only address in From. */
  readonly from: string
  readonly smtp: SmtpSender | undefined
  /** host:port */
  readonly dns: string | undefined
}

type Resolve = (name: string, type: string) => Promise<unknown>

/** Whether the domain of the sender has signed the message, or names the client as its own (decision P6). */
export async function isSentBy({ file, head, from, smtp, dns }: Claim): Promise<boolean> {
  const domain = from.slice(from.lastIndexOf('@') + 1)
  const resolve = await resolverOf(dns)
  const checks = [isSigned(file, head, domain, resolve), smtp ? isPermitted(smtp, domain, resolve) : false]
  const results = await Promise.all(checks.map(async (check) => Promise.resolve(check).catch(() => false)))
  return results.includes(true)
}

async function isSigned(file: string, head: Head, domain: string, resolver: Resolve): Promise<boolean> {
  if (!head.fields.some(({ name }) => name === 'dkim-signature')) return false
  const options = { resolver, rejectRsaSha1: true, minBitLength: 1_024 }
  const { results } = await dkimVerify(Readable.from(signedSource(file, head)), options as object)
  return results.some(({ status, signingDomain, signingHeaders, canonBodyLengthLimited }) => {
    if (status.result !== 'pass' || canonBodyLengthLimited) return false
    const signsFrom = signingHeaders?.keys
      ?.toLowerCase()
      .split(/[\s:;]+/)
      .includes('from')
    return signsFrom === true && Boolean(getAlignment(domain, [signingDomain ?? '']))
  })
}

/** The message with the first signatures only: each asks a name server. Those that are too long are left out. */
async function* signedSource(file: string, { fields, bodyAt }: Head): AsyncGenerator<Buffer> {
  let left = signaturesMax
  const isChecked = ({ raw }: Head['fields'][number]) => raw.length <= signatureBytesMax && left-- > 0
  const kept = fields.filter((each) =>
    each.name === 'dkim-signature' ? isChecked(each) : !each.name.startsWith('arc-'),
  )
  yield Buffer.concat([...kept.map(({ raw }) => raw), Buffer.from('\r\n')])
  yield* createReadStream(file, { start: bodyAt, highWaterMark: 262_144 })
}

async function isPermitted(
  { remoteAddress, helo, mailFrom }: SmtpSender,
  domain: string,
  resolver: Resolve,
): Promise<boolean> {
  const sender = mailFrom === '' ? `postmaster@${helo}` : mailFrom
  if (!getAlignment(domain, [sender.slice(sender.lastIndexOf('@') + 1).toLowerCase()])) return false
  const { status } = await spf({ sender, ip: remoteAddress, helo, mta: 'kontor', resolver } as never)
  return status?.result === 'pass'
}

/** Asks the name server until the time for the message is over, which begins with the first question. */
async function resolverOf(dns: string | undefined): Promise<Resolve> {
  const resolver = new Resolver({ timeout: 1_500, tries: 3 })
  if (dns !== undefined) resolver.setServers([await serverOf(dns)])
  let over: Promise<never> | undefined
  return (name, type) => {
    over ??= new Promise((_, reject) => {
      setTimeout(() => {
        resolver.cancel()
        reject(Object.assign(new Error('No answer in time'), { code: 'ETIMEOUT' }))
      }, dnsMsMax).unref()
    })
    over.catch(() => undefined)
    const answer = resolver.resolve(name, type) as Promise<unknown>
    return Promise.race([answer.then(withoutLong), over])
  }
}

/** TXT records are lists of strings. */
function withoutLong(records: unknown): unknown {
  const isShort = (each: unknown) => !Array.isArray(each) || each.join('').length <= recordLengthMax
  return Array.isArray(records) ? records.filter(isShort) : records
}

async function serverOf(dns: string): Promise<string> {
  const [, bracketed, plain = '', port = '53'] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d+))?$/.exec(dns) ?? []
  const host = bracketed ?? plain
  const address = isIP(host) === 0 ? (await lookup(host)).address : host
  return isIP(address) === 6 ? `[${address}]:${port}` : `${address}:${port}`
}
