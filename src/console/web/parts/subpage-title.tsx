import type { ComponentChildren } from 'preact'
import { href } from '../session/place.ts'

interface SubpageTitleProps {
  /** The page above. */
  of: { page: string; plural: string }
  title: string
  /** What follows the title, such as a badge. */
  children?: ComponentChildren
}

/** The title of a page below another one, with the link to that one. */
export function SubpageTitle({ of: { page, plural }, title, children }: SubpageTitleProps) {
  return (
    <>
      <a class="small" href={href(page)}>
        {plural}
      </a>
      {children ? (
        <div class="row">
          <h1>{title}</h1>
          {children}
        </div>
      ) : (
        <h1>{title}</h1>
      )}
    </>
  )
}
