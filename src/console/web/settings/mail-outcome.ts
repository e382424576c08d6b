import { serverText } from '../text/server-texts.ts'
import { t } from '../text/texts.ts'

const outcomes: Readonly<Record<string, string>> = {
  stored: t('Stored'),
  unmatched: t('In the inbox'),
  held: t('Held'),
  duplicate: t('Already there'),
  internal: t('Not stored: between colleagues'),
  refused: t('Refused'),
}

/** What became of a mail, in words. */
export function outcomeText(outcome: string): string {
  return outcomes[outcome] ?? outcome
}

const advices: readonly (readonly [pattern: RegExp, advice: string])[] = [
  [
    /refuses the user or the password|password cannot be decrypted/,
    t(
      'Check the user, and enter the password again; some providers want one for programs. Then it is tried at once, otherwise every 15 minutes.',
    ),
  ],
  [/^The folder .* cannot be opened/, t('Check the name of the folder, as the mail server spells it.')],
  [
    /refuses the connection|does not answer|cannot be reached|timed out|no address/,
    t('Check host, port and encryption. It is tried again by itself, at least every 10 minutes.'),
  ],
  [/certificate|TLS/, t('Check the host and the encryption, or ask who runs the mail server.')],
  [/waits for room/, t('The plan’s storage is used up: delete files, or change the plan. Nothing is lost meanwhile.')],
  [/The server failed/, t('The log of the server says why.')],
]

/** Why a mailbox cannot be read, and what to do about it. */
export function mailboxErrorText(error: string): { text: string; advice: string } {
  const found = advices.find(([pattern]) => pattern.test(error))
  return { text: serverText(error), advice: found?.[1] ?? t('It is tried again by itself, at least every 10 minutes.') }
}
