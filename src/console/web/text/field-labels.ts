import type { DescribedField, Description } from '../../description.ts'
import { labelText, t } from './texts.ts'

/** The names of fields where the one in the API is not what a salesperson would say. All others are named as in the API. */
const labels: Readonly<Record<string, string>> = {
  'organization.organization_type': t('Type'),
  'contact.is_primary': t('Primary contact'),
  'contact.consent_to_record': t('Calls may be recorded'),
  'activity.occurred_at': t('Happened'),
  'stage.requires': t('Required fields'),
  'stage.stale_after_days': t('Stale after days'),
  'deal.expected_close_date': t('Closes on'),
  'deal.assigned_to': t('Owner'),
  'product.sku': t('Article number'),
  'product.is_active': t('Active'),
}

/** The description with these names, in the user's language. Labels of declared fields stay as they are. */
export function inWords(description: Description): Description {
  const resources = description.resources.map((resource) => ({
    ...resource,
    label: labelText(resource.label),
    plural: labelText(resource.plural),
    fields: resource.fields.map((field) => inWordsOf(resource.name, field)),
    unshown: resource.unshown.map((field) => inWordsOf(resource.name, field)),
    collections: Object.fromEntries(
      Object.entries(resource.collections).map(([name, { label, fields, ...collection }]) => [
        name,
        {
          ...collection,
          label: labelText(label),
          fields: fields.map((field) => ({ ...field, label: labelText(field.label) })),
        },
      ]),
    ),
  }))
  return { ...description, resources }
}

function inWordsOf(of: string, field: DescribedField): DescribedField {
  const label = labels[`${of}.${field.name}`] ?? (field.declared ? field.label : labelText(field.label))
  return { ...field, label }
}
