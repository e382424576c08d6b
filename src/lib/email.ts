import { RFC_EMAIL_REGEX } from 'valibot'

/** Whether it is an address that mail can be sent to over the internet: its domain has a dot. */
export function isEmailAddress(text: string): boolean {
  return RFC_EMAIL_REGEX.test(text) && /@.+\../.test(text)
}
