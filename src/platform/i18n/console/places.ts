import { catalogue } from './catalogue.ts'

export const placeTexts = catalogue(
  {
    title: 'Places to choose from',
    lead: 'Invitees choose one of these places. If there are any, the location above does not count.',
    place: 'Place {n}',
    add: 'Add a place',
    kind: 'Kind',
    none: 'No place',
    label: 'Name',
    value: 'Address or number',
    valueHint:
      'An address, a link (https) or a number to call. Leave it empty for video calls and if you call the invitee.',
    video_a: 'Zoom',
    calendar_a_meet: 'Google Meet',
    calendar_b_meet: 'Microsoft Teams',
    custom: 'Your own meeting link',
    in_person: 'At an address',
    phone_out: 'You call the invitee',
    phone_in: 'The invitee calls you',
  },
  {
    title: 'Orte zur Auswahl',
    lead: 'Gäste wählen einen dieser Orte. Gibt es welche, zählt der Ort oben nicht.',
    place: 'Ort {n}',
    add: 'Ort hinzufügen',
    kind: 'Art',
    none: 'Kein Ort',
    label: 'Name',
    value: 'Adresse oder Nummer',
    valueHint:
      'Eine Adresse, ein Link (https) oder eine Telefonnummer. Leer bei Videoanrufen und wenn Sie selbst anrufen.',
    video_a: 'Zoom',
    calendar_a_meet: 'Google Meet',
    calendar_b_meet: 'Microsoft Teams',
    custom: 'Eigener Meeting-Link',
    in_person: 'An einer Adresse',
    phone_out: 'Sie rufen an',
    phone_in: 'Sie werden angerufen',
  },
)
