import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { Refusal } from './bounds.ts'
import type { MailAnswer, ReadMail } from './mail.ts'
import type { MailOrder, MailReport, MailThreadInput } from './mail-thread-handle.ts'
import { readFile, removeAll, type Unverified } from './read-file.ts'
import { isSentBy } from './verify-sender.ts'

// The thread that reads mail. One message is parsed at a time.

const { dns } = workerData as MailThreadInput
let parsing: Promise<unknown> = Promise.resolve()

parentPort!.on('message', async (order: MailOrder) => {
  const { id } = order
  const paths: string[] = []
  try {
    report({ id, answer: await answerTo(order, paths) })
  } catch (error) {
    await removeAll(paths)
    if (error instanceof Refusal) report({ id, answer: error.answer })
    else report({ id, ...outcomeOf(error) })
  }
})

/** Of an error that this module does not throw: the disk fails for now, `mailparser` has bounds of its own, and anything else is a bug. */
function outcomeOf(error: unknown): { failure: string } | { answer: MailAnswer; bug?: string } {
  const { code, syscall, message, stack } = error as NodeJS.ErrnoException
  if (syscall !== undefined) return { failure: message }
  if (code === 'EMAXLEN') return { answer: { refused: `The message is refused: ${message}`, code: 'MALFORMED' } }
  return { answer: { refused: 'The message cannot be read', code: 'MALFORMED' }, bug: stack ?? String(error) }
}

async function answerTo({ id, file, workDirectory, smtp }: MailOrder, paths: string[]): Promise<MailAnswer> {
  const files = {
    next() {
      const path = join(workDirectory, `${id}-${paths.length}`)
      paths.push(path)
      return path
    },
  }
  const { mail, head } = await alone(id, () => readFile(file, files))
  const kept = new Set(
    [mail, mail.original].flatMap((one) => one?.attachments.map((attachment) => attachment.file) ?? []),
  )
  await removeAll(paths.filter((path) => !kept.has(path)))
  const [from] = mail.from
  const isClaim = from !== undefined && !mail.severalFrom
  const isVerified = isClaim && (await isSentBy({ file, head, from: from.address, smtp, dns }))
  return { mail: verified(mail, isVerified) }
}

function verified(mail: Unverified, isVerified: boolean): ReadMail {
  return { ...mail, isVerified, original: mail.original && verified(mail.original, isVerified) }
}

/** Waits for the messages before, and reports when it begins and ends. */
function alone<Result>(id: string, parse: () => Promise<Result>): Promise<Result> {
  const parsed = parsing.then(async () => {
    const { user, system } = process.threadCpuUsage?.() ?? { user: 0, system: 0 }
    report({ id, step: 'begun', cpuMs: (user + system) / 1_000 })
    const result = await parse()
    report({ id, step: 'parsed' })
    return result
  })
  parsing = parsed.catch(() => undefined)
  return parsed
}

function report(message: MailReport): void {
  parentPort!.postMessage(message)
}
