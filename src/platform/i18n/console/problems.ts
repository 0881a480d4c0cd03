import { catalogue } from './catalogue.ts'

/** What endpoints refuse, where no screen has better words for it. */
export const problemTexts = catalogue(
  {
    title: 'Please check these points',
    badRequest: 'This is not possible as it is now.',
    forbidden: 'Your role does not allow this.',
    orgSuspended: 'The organization is suspended.',
    planLimit: 'The plan allows no more this month.',
    planEventTypes: 'The plan allows no more event types. Delete one, or change the plan.',
    planFeeds: 'The plan allows no more of these calendar addresses. Revoke one, or change the plan.',
    planCalendars: 'The plan allows this person no more calendars. Disconnect one, or change the plan.',
    planMembers: 'The plan allows no more members. Remove one, or change the plan.',
    manyInvitations: 'Too many invitations are pending. Revoke one, or wait until one is accepted.',
    invitationsToday: 'No more people can be invited today. It goes on after midnight UTC.',
    supportToday: 'No more requests can be sent today. It goes on after midnight UTC.',
    notFound: 'It is not there any more.',
    conflict: 'This is taken, or it was changed meanwhile. Look at it again.',
    capReached: 'The period is fully booked.',
    noHost: 'Nobody of the hosts is free at that time.',
    gateway: 'The payment provider does not answer. Nothing was changed; try again in a moment.',
    busy: 'Something that this depends on does not answer. Try again in a moment.',
    tooOften: 'This was done too often. Try again later.',
    said: 'Details: {message}',
  },
  {
    title: 'Bitte prüfen Sie diese Punkte',
    badRequest: 'So ist das nicht möglich.',
    forbidden: 'Ihre Rolle erlaubt das nicht.',
    orgSuspended: 'Die Organisation ist gesperrt.',
    planLimit: 'Der Tarif erlaubt in diesem Monat nicht mehr.',
    planEventTypes:
      'Der Tarif erlaubt keine weiteren Terminarten. Löschen Sie eine, oder wechseln Sie den Tarif.',
    planFeeds:
      'Der Tarif erlaubt keine weiteren Kalenderadressen dieser Art. Widerrufen Sie eine, oder wechseln Sie den Tarif.',
    planCalendars:
      'Der Tarif erlaubt dieser Person keine weiteren Kalender. Trennen Sie einen, oder wechseln Sie den Tarif.',
    planMembers:
      'Der Tarif erlaubt keine weiteren Mitglieder. Entfernen Sie eines, oder wechseln Sie den Tarif.',
    manyInvitations:
      'Zu viele Einladungen sind offen. Widerrufen Sie eine, oder warten Sie, bis eine angenommen ist.',
    invitationsToday: 'Heute kann niemand mehr eingeladen werden. Nach Mitternacht (UTC) geht es weiter.',
    supportToday: 'Heute kann keine Anfrage mehr gesendet werden. Nach Mitternacht (UTC) geht es weiter.',
    notFound: 'Das gibt es nicht mehr.',
    conflict: 'Das ist schon vergeben oder wurde inzwischen geändert. Sehen Sie noch einmal nach.',
    capReached: 'Der Zeitraum ist ausgebucht.',
    noHost: 'Niemand der Gastgeber ist zu dieser Zeit frei.',
    gateway:
      'Der Zahlungsanbieter antwortet nicht. Es wurde nichts geändert; versuchen Sie es gleich noch einmal.',
    busy: 'Etwas, das hierfür nötig ist, antwortet nicht. Versuchen Sie es gleich noch einmal.',
    tooOften: 'Das wurde zu oft getan. Versuchen Sie es später wieder.',
    said: 'Im Einzelnen (englisch): {message}',
  },
)

/** Sentences of the validation that name fields as the API does, in the words of the console. */
export const ENGLISH_SENTENCES: readonly (readonly [RegExp, string])[] = [
  [/^Must be (a date such as [\d-]+).*$/, 'Enter $1.'],
  [/^Must not contain :\/\/ or www\.$/, 'A name cannot contain a web address.'],
  [/^Must be after .+\.$/, 'The end must be after the start.'],
  [/^Must not be before .+\.$/, 'The end must not be before the start.'],
  [/^Must contain duration_minutes \((\d+)\)\.$/, 'The duration itself must be among them: $1.'],
  [/^Must be on a host of .+\.$/, 'Its host must be allowed in the settings of the organization.'],
]

/**
 * The sentences of the validation (`platform/http/validation-sentence.ts` and the schemas') in German. What is not here stands
 * in English behind a German beginning, so that no reason is ever lost.
 */
export const GERMAN_SENTENCES: readonly (readonly [RegExp, string])[] = [
  [/^Is required\.$/, 'Geben Sie hier etwas ein.'],
  [/^Must not be (empty|blank)\.$/, 'Geben Sie hier etwas ein.'],
  [/^Must not contain :\/\/ or www\.$/, 'Ein Name kann keine Webadresse enthalten.'],
  [/^Must be one line .+\.$/, 'Eine Zeile ohne Steuerzeichen wie Tabulatoren.'],
  [/^Must not contain the character U.+\.$/, 'Ohne das Zeichen U+0000.'],
  [/^Must have at least (\d+) characters\.$/, 'Mindestens $1 Zeichen.'],
  [/^Must have at most (\d+) characters\.$/, 'Höchstens $1 Zeichen.'],
  [/^Must have at least (\d+) items\.$/, 'Mindestens $1.'],
  [/^Must have at most (\d+) items\.$/, 'Höchstens $1.'],
  [/^Must be at least (-?\d+)\.$/, 'Mindestens $1.'],
  [/^Must be at most (-?\d+)\.$/, 'Höchstens $1.'],
  [/^Must be more than (-?\d+)\.$/, 'Mehr als $1.'],
  [/^Must be less than (-?\d+)\.$/, 'Weniger als $1.'],
  [/^Must be (a number|a whole number)\.$/, 'Geben Sie eine Zahl ein.'],
  [/^Must be an email address\.$/, 'Geben Sie eine E-Mail-Adresse wie ada@example.com ein.'],
  [
    /^Must be (a URL|an https URL|an http or https URL)\.$/,
    'Geben Sie eine Adresse ein, die mit https:// beginnt.',
  ],
  [/^Must name at least one event\.$/, 'Wählen Sie mindestens ein Ereignis.'],
  [/^Must be whsec_ and the base64 of (.+) bytes\.$/, 'whsec_ und $1 Bytes in Base64.'],
  [/^Must not contain credentials\.$/, 'Ohne Benutzernamen und Passwort in der Adresse.'],
  [/^Must name a public host\.$/, 'Die Adresse muss öffentlich erreichbar sein.'],
  [
    /^Must contain only lower-case letters, digits and hyphens\.$/,
    'Nur Kleinbuchstaben, Ziffern und Bindestriche.',
  ],
  [/^Must be an IANA time zone, such as (.+)\.$/, 'Wählen Sie eine Zeitzone wie $1.'],
  [/^Must be a date such as ([\d-]+).*$/, 'Geben Sie ein Datum wie $1 ein.'],
  [/^Must be a time of day such as (.+)\.$/, 'Geben Sie eine Uhrzeit wie $1 ein.'],
  [/^Must be after (.+)\.$/, 'Das Ende muss nach dem Anfang liegen.'],
  [/^Must not be before .+\.$/, 'Das Ende darf nicht vor dem Anfang liegen.'],
  [/^Must be in the years (\d+) to (\d+)\.$/, 'Nur die Jahre $1 bis $2.'],
  [/^Must be in the future\.$/, 'Muss in der Zukunft liegen.'],
  [/^Must be a color such as (.+)\.$/, 'Geben Sie eine Farbe wie $1 ein.'],
  [/^Must contain duration_minutes \((\d+)\)\.$/, 'Die Dauer selbst muss dabei sein: $1.'],
  [/^Must not list .+ twice\.$/, 'Jeder Eintrag nur einmal.'],
  [/^Must not contain white space\.$/, 'Ohne Leerzeichen.'],
  [/^Must be a host name, such as (.+)\.$/, 'Geben Sie einen Host wie $1 ein.'],
  [/^Must name a host, not an IP address\.$/, 'Geben Sie einen Host ein, keine IP-Adresse.'],
  [/^Must be on a host of .+\.$/, 'Der Host muss in den Einstellungen der Organisation erlaubt sein.'],
  [
    /^Must be at least (\d+), the least that .+\.$/,
    'Mindestens $1: Weniger kann in dieser Währung nicht eingezogen werden.',
  ],
  [/^Must be a multiple of (\d+), .+\.$/, 'Nur Vielfache von $1.'],
  [/^Must be a BCP 47 language tag.*$/, 'Wählen Sie eine Sprache.'],
]
