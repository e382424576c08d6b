import type { Plan } from './plan.ts'

/** Resources whose changes are never undone, with the reason. */
const final: Readonly<Record<string, string>> = {
  activity: 'Activities are never changed or deleted',
  api_key: 'Changes of API keys are not undone: change or revoke the key',
  user: 'Changes of users are not undone: change the user',
  webhook: 'Changes of webhooks are not undone: change the webhook',
  bulk_job: 'A job is not undone: undo its changes by its bulk_job_id',
}

/** Those whose records are moved by a merge, which is undone (decision K6). */
const movable: readonly string[] = ['activity']

/** The fields that need the password of a mailbox again: it must not go to another server. An undo has none. */
export const needPassword: readonly string[] = ['host', 'port', 'tls', 'user']
export const passwordNeeded = 'Host, port, tls and user change only with the password: change the mailbox instead'

/** Why changes of a record are never undone, if so. */
export function refusalOf({ resource }: { resource: string }, { existence, fields }: Plan): string | undefined {
  if (resource === 'mail_source' && needPassword.some((name) => Object.hasOwn(fields, name))) return passwordNeeded
  return movable.includes(resource) && existence === undefined ? undefined : final[resource]
}
