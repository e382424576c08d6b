import { address, type FileSource, hasSome, items, itemsMax, numbered, person } from './source-columns.ts'

/** What the formatted address of Google repeats, and labels without a meaning. */
const repeated = items(itemsMax, (n) => ({
  ...Object.fromEntries(
    ['label', 'street', 'city', 'po box', 'region', 'postal code', 'country', 'extended address'].map((part) => [
      `address ${n} ${part}`,
      '',
    ]),
  ),
  ...{ [`website ${n} label`]: '', [`organization ${n} type`]: '' },
}))

export const google: FileSource = {
  label: 'Google Contacts',
  isOf: (names) => /\b(?:e mail|phone) 1 (?:value|label|type)\b/.test([...names].join('\n')),
  columns: {
    contact: {
      ...person,
      ...numbered,
      ...repeated,
      ...{ 'given name': 'first_name', 'additional name': 'first_name', 'family name': 'last_name', name: 'full_name' },
      ...{ 'organization name': 'organization.name', 'organization 1 name': 'organization.name' },
      ...{ 'organization title': 'job_title', 'organization 1 title': 'job_title' },
      ...{ 'organization department': 'metadata.department', 'organization 1 department': 'metadata.department' },
      ...{ 'name prefix': 'metadata.salutation', 'name suffix': 'metadata.suffix' },
      ...{ labels: 'metadata.labels', 'group membership': 'metadata.labels', nickname: 'metadata.nickname' },
      ...{ 'address 1 formatted': 'metadata.address', 'website 1 value': 'metadata.website', photo: '', 'file as': '' },
    },
  },
}

export const vcard: FileSource = {
  label: 'vCard',
  isOf: () => false,
  columns: {
    contact: {
      ...google.columns.contact,
      ...{ organization: 'organization.name', prefix: 'metadata.salutation', suffix: 'metadata.suffix' },
      ...{ 'other organizations': 'metadata.other_organizations' },
      ...{ adr: 'metadata.address', url: 'metadata.website', categories: 'metadata.labels', uid: '' },
    },
  },
}

export const outlook: FileSource = {
  label: 'Outlook',
  isOf: (names) =>
    hasSome(names, 2, ['e mail address', 'business phone', 'business street', 'e mail display name', 'home street']),
  columns: {
    contact: {
      ...person,
      ...{ company: 'organization.name', title: 'metadata.salutation', suffix: 'metadata.suffix' },
      ...{
        'e mail address': 'emails[0].email',
        'e mail 2 address': 'emails[1].email',
        'e mail 3 address': 'emails[2].email',
      },
      ...{ 'e mail type': '', 'e mail 2 type': '', 'e mail 3 type': '' },
      ...{ 'e mail display name': '', 'e mail 2 display name': '', 'e mail 3 display name': '' },
      ...{ 'business phone': 'phones:work', 'business phone 2': 'phones:work', 'company main phone': 'phones:work' },
      ...{ 'home phone': 'phones:home', 'home phone 2': 'phones:home', 'mobile phone': 'phones:mobile' },
      ...{ 'other phone': 'phones:other', 'primary phone': 'phones:work', 'car phone': 'phones:mobile' },
      ...{ 'business fax': 'phones:fax', 'home fax': 'phones:fax', 'other fax': 'phones:fax', pager: 'phones:pager' },
      ...address('business ', 'country region'),
      ...{ 'web page': 'metadata.website', categories: 'metadata.labels' },
    },
  },
}

export const thunderbird: FileSource = {
  label: 'Thunderbird',
  isOf: (names) =>
    hasSome(names, 3, ['primary email', 'secondary email', 'screen name', 'pager number', 'work zipcode']),
  columns: {
    contact: {
      ...person,
      ...{ 'display name': 'full_name', nickname: 'metadata.nickname', 'screen name': 'metadata.screen_name' },
      ...{
        'primary email': 'emails[0].email',
        'secondary email': 'emails[1].email',
        organization: 'organization.name',
      },
      ...{ 'work phone': 'phones:work', 'home phone': 'phones:home', 'fax number': 'phones:fax' },
      ...{ 'pager number': 'phones:pager', 'mobile number': 'phones:mobile' },
      ...{ 'work address': 'metadata.street', 'work city': 'metadata.city', 'work state': 'metadata.state' },
      ...{ 'work zipcode': 'metadata.postal_code', 'work country': 'metadata.country' },
      ...{ 'web page 1': 'metadata.website', 'web page 2': 'metadata.website_2' },
    },
  },
}
