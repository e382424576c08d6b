import { declaredLabel } from '../session/session.ts'
import { messageText } from './texts.ts'

/** A message of the server with the labels of declared fields. */
export function serverText(message: string): string {
  return messageText(message).replace(/\bmetadata\.\w+/g, (name) => declaredLabel(name) ?? name)
}
