import { ignoredSender } from '../../crm/ignored-sender.ts'
import type { Describer, Description } from '../../engine/records/describe.ts'

const writing = `A shared one requires \`${ignoredSender.scopes.write}\`, too.`

export function describeList(doc: Describer): Description {
  return { ...doc.operation(ignoredSender, 'list'), details: 'The shared ones, and the personal ones of the caller.' }
}

export function describeGet(doc: Describer): Description {
  return { ...doc.operation(ignoredSender, 'get'), details: 'A personal one is shown to its user.' }
}

export function describeCreate(doc: Describer): Description {
  return {
    ...doc.operation(ignoredSender, 'create'),
    details: writing,
    existing: doc.shown(ignoredSender, 'The one that exists with this address. Nothing has changed.'),
  }
}

export function describeDelete(doc: Describer): Description {
  return { ...doc.operation(ignoredSender, 'delete'), details: writing }
}
