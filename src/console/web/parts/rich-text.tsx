import type { ComponentChildren } from 'preact'
import { partsOf, type Text } from '../text/texts.ts'

/** A text with elements in it: `<T text="Merged into {record}" record={<a …>…</a>} />`. */
export function T({ text, ...values }: { text: Text } & { [name: string]: ComponentChildren }) {
  return <>{partsOf(text).map((part, at) => (at % 2 === 1 ? values[part] : part))}</>
}
