import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { TlsFiles } from '../../../support/certificate.ts'
import { temporaryDirectory } from '../../../support/directory.ts'
import { freePort } from '../../../support/free-port.ts'
import type { Missing } from '../../../support/needs.ts'
import { until } from '../../../support/wait.ts'

const program = '/usr/sbin/dovecot'

export const withoutDovecot: Missing = existsSync(program)
  ? false
  : 'dovecot is not installed: apt-get install dovecot-imapd'

/** A real IMAP server, on which every user has the password `secret` and the same mailbox. */
export interface Dovecot {
  port: number
  /** Where TLS begins at once, if it has a certificate. */
  tlsPort: number
  /** Puts a message into a folder, as another program delivers it, or as one that arrived at another time. */
  deliver(raw: string, folder?: string, arrivedAt?: Date): void
  /** Changes UIDVALIDITY of the inbox, and the numbers of its messages. */
  renumber(): Promise<void>
  stop(): Promise<void>
  start(): Promise<void>
}

let delivered = 0

/** Dovecot reads mail as nobody but an ordinary user: as root, as Debian's user `mail`. */
const owner = userInfo().uid === 0 ? { uid: 8, gid: 8 } : userInfo()

/** With a certificate, it takes passwords from encrypted connections only. */
export async function startDovecot(t: Pick<TestContext, 'after'>, certificate?: TlsFiles): Promise<Dovecot> {
  const directory = temporaryDirectory(t)
  chmodSync(directory, 0o755)
  const mail = join(directory, 'mail')
  const [port, tlsPort] = [await freePort(), await freePort()]
  writeFileSync(join(directory, 'dovecot.conf'), configOf(directory, { port, tlsPort, certificate }))
  makeOwned(mail)
  let child: ChildProcess | undefined
  const dovecot: Dovecot = {
    ...{ port, tlsPort },
    deliver(raw, folder = '', arrivedAt = new Date()) {
      const at = join(mail, folder && `.${folder}`)
      for (const part of ['', 'new', 'cur', 'tmp']) makeOwned(join(at, part))
      const name = `${String(++delivered).padStart(9, '0')}.test`
      writeFileSync(join(at, 'tmp', name), raw, 'latin1')
      chownSync(join(at, 'tmp', name), owner.uid, owner.gid)
      utimesSync(join(at, 'tmp', name), arrivedAt, arrivedAt)
      renameSync(join(at, 'tmp', name), join(at, 'new', name))
    },
    async renumber() {
      await dovecot.stop()
      for (const name of ['dovecot-uidlist', 'dovecot.index.log', 'dovecot.index', 'dovecot-uidvalidity']) {
        rmSync(join(mail, name), { force: true })
      }
      await dovecot.start()
    },
    async stop() {
      if (!child || child.exitCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
    async start() {
      child = spawn(program, ['-F', '-c', join(directory, 'dovecot.conf')], { stdio: ['ignore', 'pipe', 'pipe'] })
      let output = ''
      for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (part) => (output += part))
      child.on('error', (error) => (output += error.message))
      await until(
        'dovecot listens',
        async () => (await isListening(port)) || (child!.exitCode !== null && `ended: ${output}`),
        {
          is: (seen) => seen === true,
        },
      )
    },
  }
  t.after(() => dovecot.stop())
  await dovecot.start()
  return dovecot
}

interface Listening extends Pick<Dovecot, 'port' | 'tlsPort'> {
  certificate: TlsFiles | undefined
}

function configOf(directory: string, { port, tlsPort, certificate }: Listening): string {
  const { username } = userInfo()
  const { uid, gid } = owner
  return `
protocols = imap
listen = 127.0.0.1
base_dir = ${directory}/run
state_dir = ${directory}/state
log_path = /dev/stderr
${certificate ? `ssl = required\nssl_cert = <${certificate.tlsCert}\nssl_key = <${certificate.tlsKey}` : 'ssl = no\ndisable_plaintext_auth = no'}
${username === 'root' ? '' : `default_internal_user = ${username}\ndefault_internal_group = ${username}\ndefault_login_user = ${username}`}
first_valid_uid = 0
first_valid_gid = 0
mail_uid = ${uid}
mail_gid = ${gid}
mail_location = maildir:${directory}/mail
service imap-login {
  chroot =
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = ${certificate ? `${tlsPort}\n    ssl = yes` : 0}
  }
}
service anvil {
  chroot =
}
passdb {
  driver = static
  args = password=secret
}
userdb {
  driver = static
  args = uid=${uid} gid=${gid} home=${directory}/home
}
namespace inbox {
  inbox = yes
  mailbox Sent {
    special_use = \\Sent
    auto = create
  }
}
`
}

function makeOwned(directory: string): void {
  mkdirSync(directory, { recursive: true })
  chownSync(directory, owner.uid, owner.gid)
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
}
