import { ApiError } from '../../../errors.ts'
import { useNames } from '../data/record-names.ts'
import { T } from '../parts/rich-text.tsx'
import { href } from '../session/place.ts'
import { resourceOf } from '../session/session.ts'
import { about } from '../text/texts.ts'

/** The record that already has a unique value, as the server's message names it; undefined if it names none. */
export function holderIn(error: unknown): string | undefined {
  if (!(error instanceof ApiError) || error.code !== 'ALREADY_EXISTS') return undefined
  return / already exists: ([\w-]+)$/.exec(error.message)?.[1]
}

/** The error at a field whose value another record has, with a link to it that leaves the form open. */
export function HeldBy({ of, id }: { of: string; id: string }) {
  const { label, page } = resourceOf(of)
  const name = useNames(of, id) ?? about('another {noun}', label)
  return (
    <T
      text="Already used by {record}"
      record={
        <a href={href(`${page}/${id}`)} target="_blank" rel="noopener">
          {name}
        </a>
      }
    />
  )
}
