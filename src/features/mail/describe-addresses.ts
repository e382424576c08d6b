import type { Describer, Description } from '../../engine/records/describe.ts'
import { mailAddress } from './mail-address.ts'

const visible = 'Addresses of users are shown to them and to admins.'
const noMail = { FEATURE_NOT_ENABLED: 'The server takes no mail: it has no `--mail-domain`.' }

export function describeList(doc: Describer): Description {
  return { ...doc.operation(mailAddress, 'list'), details: visible }
}

export function describeGet(doc: Describer): Description {
  return { ...doc.operation(mailAddress, 'get'), details: visible }
}

export function describeCreate(doc: Describer): Description {
  return {
    ...doc.operation(mailAddress, 'create'),
    details: 'The company, each user and each deal can have one. Only admins create addresses of other users.',
    existing: doc.shown(mailAddress, 'The address that exists. Nothing has changed.'),
    errors: noMail,
  }
}

export function describeDelete(doc: Describer): Description {
  return { ...doc.operation(mailAddress, 'delete'), details: 'Mail to it is refused.' }
}

export function describeRotate(doc: Describer): Description {
  return {
    id: 'rotateMailAddress',
    tag: doc.tag(mailAddress),
    summary: 'Replace a mail address by a new one',
    details: 'Mail to the former one is refused.',
    response: doc.shown(mailAddress, 'The mail address with its new `address`.'),
    errors: noMail,
    example: {
      params: { id: doc.exampleId('mail_address') },
      response: { data: doc.exampleRecord(mailAddress, {}, true) },
    },
  }
}
