import type { Describer, Description } from '../../../engine/records/describe.ts'
import { mailSource } from './mail-source.ts'

const visible = 'Mailboxes of users are shown to them and to admins.'
const noMail = {
  FEATURE_NOT_ENABLED: 'The server takes no mail: it shares a log and has no `--files`. Or it is a sandbox.',
}

export function describeList(doc: Describer): Description {
  return { ...doc.operation(mailSource, 'list'), details: visible }
}

export function describeGet(doc: Describer): Description {
  return { ...doc.operation(mailSource, 'get'), details: visible }
}

export function describeCreate(doc: Describer): Description {
  return { ...doc.operation(mailSource, 'create'), details: 'Only admins create mailboxes of others.', errors: noMail }
}

export function describePatch(doc: Describer): Description {
  const details = 'A new `host`, `port`, `tls` or `user` needs the `password`, too.'
  return { ...doc.operation(mailSource, 'patch'), details, errors: noMail }
}

export function describeDelete(doc: Describer): Description {
  return { ...doc.operation(mailSource, 'delete'), details: 'What it has brought stays.' }
}
