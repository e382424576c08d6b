import type { Description } from '../../description.ts'
import { labelText, t } from './texts.ts'

/** The names of fields where the one in the API is not what a salesperson would say. All others are named as in the API. */
const labels: Readonly<Record<string, string>> = {
  'organization.organization_type': t('Type'),
  'contact.is_primary': t('Primary contact'),
  'contact.consent_to_record': t('Calls may be recorded'),
  'deal.expected_close_date': t('Closes on'),
  'deal.assigned_to': t('Owner'),
}

/** The description with these names, in the user's language. Labels of declared fields stay as they are. */
export function inWords(description: Description): Description {
  const resources = description.resources.map((resource) => ({
    ...resource,
    label: labelText(resource.label),
    plural: labelText(resource.plural),
    fields: resource.fields.map((field) => ({
      ...field,
      label: labels[`${resource.name}.${field.name}`] ?? (field.declared ? field.label : labelText(field.label)),
    })),
    unshown: resource.unshown.map((field) => ({ ...field, label: labelText(field.label) })),
    collections: Object.fromEntries(
      Object.entries(resource.collections).map(([name, { fields, ...collection }]) => [
        name,
        { ...collection, fields: fields.map((field) => ({ ...field, label: labelText(field.label) })) },
      ]),
    ),
  }))
  return { ...description, resources }
}
