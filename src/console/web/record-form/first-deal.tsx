import type { Values } from '../data/form-merge.ts'
import type { Once } from '../data/once.ts'
import type { Row } from '../data/resource-views.ts'
import { FieldInput } from '../forms/field-input.tsx'
import type { FormState } from '../forms/use-form.ts'
import { fieldOf, resourceOf, session } from '../session/session.ts'
import { t } from '../text/texts.ts'
import { createPart } from './save-together.ts'

const [title, value] = ['first_deal', 'first_deal_value'] as const

/** The form's values for a deal that is created with a new contact; none for other records. */
export function firstDealOf(of: string): Values {
  return of === 'contact' ? { [title]: null, [value]: null } : {}
}

/** The form's values of the record itself. */
export function withoutDeal({ [title]: _, [value]: __, ...values }: Values): Values {
  return values
}

/** Creates the deal of a saved contact, if it has a title. */
export async function createFirstDeal(values: Values, { id, organization_id }: Row, once: Once): Promise<void> {
  if (!values[title]) return
  const amount = typeof values[value] === 'number' && { value: values[value] }
  const own = { contact_id: id, organization_id, assigned_to: session.value!.user.id }
  await createPart(resourceOf('deal').path, { title: values[title], ...amount, ...own }, once, title)
}

/** A deal with the new contact: its title, and its value once it has one. */
export function FirstDeal({ form }: { form: FormState<Values> }) {
  return (
    <div class="fields">
      <FieldInput
        field={{ ...fieldOf('deal', 'title'), label: t('First deal'), required: false }}
        {...form.field(title)}
      />
      {Boolean(form.values[title]) && (
        <FieldInput field={{ ...fieldOf('deal', 'value'), required: false }} {...form.field(value)} />
      )}
    </div>
  )
}
