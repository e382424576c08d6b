import type { ComponentChildren } from 'preact'
import { mainOf } from '../data/item-values.ts'
import { type Row, titleOf } from '../data/resource-views.ts'
import { ItemLink } from '../parts/value.tsx'
import { href } from '../session/place.ts'
import { resourceOf } from '../session/session.ts'
import { t } from '../text/texts.ts'

interface PersonProps {
  person: Row
  /** Whether it is the contact of the record whose page shows it. */
  isMain?: boolean
  /** Whether a phone leaves it out. */
  isFurther?: boolean
  children?: ComponentChildren
}

/** A contact with links that call and write. */
export function Person({ person, isMain = false, isFurther = false, children }: PersonProps) {
  const { page, collections } = resourceOf('contact')
  return (
    <li class={isFurther ? 'person further' : 'person'}>
      <div class="grow">
        <a href={href(`${page}/${person.id}`)}>
          <bdi>{titleOf('contact', person)}</bdi>
        </a>
        {isMain && <span class="badge">{t('Contact')}</span>}
        {person.job_title && (
          <div class="muted small">
            <bdi>{person.job_title}</bdi>
          </div>
        )}
        {children}
      </div>
      <div class="ways">
        {Object.values(collections).map((each) => {
          const items: Row[] = person[each.as]
          const item = items.find(({ is_primary }) => is_primary) ?? items[0]
          return item && <ItemLink key={each.as} item={item} field={mainOf(each)} />
        })}
      </div>
    </li>
  )
}
