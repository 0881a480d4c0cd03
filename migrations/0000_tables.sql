CREATE TABLE `api_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`is_test` integer NOT NULL,
	`member_id` text,
	`role` text DEFAULT 'owner' NOT NULL,
	`name` text NOT NULL,
	`description` text,
	`hash` text NOT NULL,
	`key_prefix` text NOT NULL,
	`last_used_at` integer,
	`expires_at` integer,
	`revoked_at` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_hash` ON `api_keys` (`hash`);--> statement-breakpoint
CREATE INDEX `api_keys_organization` ON `api_keys` (`organization_id`,`is_test`,`id`);--> statement-breakpoint
CREATE INDEX `api_keys_member` ON `api_keys` (`member_id`) WHERE `member_id` IS NOT NULL;--> statement-breakpoint
CREATE INDEX `api_keys_revoked` ON `api_keys` (`revoked_at`) WHERE revoked_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `api_keys_active` ON `api_keys` (`organization_id`) WHERE revoked_at IS NULL;--> statement-breakpoint
CREATE INDEX `api_keys_used` ON `api_keys` (`organization_id`,`is_test`,`last_used_at`) WHERE last_used_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `bookings` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`event_type_id` text NOT NULL,
	`is_test` integer NOT NULL,
	`status` text NOT NULL,
	`start_time` integer NOT NULL,
	`end_time` integer NOT NULL,
	`invitee_name` text NOT NULL,
	`invitee_email` text NOT NULL,
	`invitee_timezone` text NOT NULL,
	`invitee_locale` text DEFAULT 'en' NOT NULL,
	`notes` text,
	`answers` text,
	`is_keyless` integer DEFAULT true NOT NULL,
	`metadata` text NOT NULL,
	`attendees` text NOT NULL,
	`assigned_host_id` text,
	`assigned_host` text,
	`session_id` text,
	`calendar_connection_id` text,
	`calendar_event_id` text,
	`busy_as_of` integer,
	`sync_error` text,
	`conferencing_url` text,
	`location` text,
	`payment` text,
	`cancelled_at` integer,
	`cancel_reason` text,
	`rescheduled_at` integer,
	`previous_start_time` integer,
	`reminder_minutes` text,
	`next_reminder_at` integer,
	`tell_reminders_again_at` integer,
	`network_mark` text,
	`address_mark` text,
	`invitee_moves` text,
	`attendance_at` integer,
	`no_shows` integer DEFAULT 0 NOT NULL,
	`host_absent` integer DEFAULT false NOT NULL,
	`revision` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `bookings_invitee` ON `bookings` (`organization_id`,`is_test`,lower(invitee_email),`id`);--> statement-breakpoint
CREATE INDEX `bookings_session` ON `bookings` (`session_id`) WHERE session_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `bookings_calendar` ON `bookings` (`calendar_connection_id`,`start_time`,`status`) WHERE calendar_connection_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `bookings_pending_network` ON `bookings` (`organization_id`,`is_test`,`network_mark`) WHERE status = 'pending_payment' AND network_mark IS NOT NULL;--> statement-breakpoint
CREATE INDEX `bookings_active_address` ON `bookings` (`event_type_id`,`address_mark`,`start_time`) WHERE status <> 'cancelled' AND address_mark IS NOT NULL;--> statement-breakpoint
CREATE INDEX `bookings_status` ON `bookings` (`organization_id`,`is_test`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `bookings_event_type` ON `bookings` (`event_type_id`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `bookings_host` ON `bookings` (`assigned_host_id`,`is_test`,`status`,`id`) WHERE assigned_host_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `bookings_host_event_type` ON `bookings` (`assigned_host_id`,`event_type_id`,`status`,`id`) WHERE assigned_host_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `bookings_event_type_start` ON `bookings` (`event_type_id`,`start_time`,`status`,`assigned_host_id`);--> statement-breakpoint
CREATE INDEX `bookings_reminders` ON `bookings` (`is_test`,`next_reminder_at`,`id`) WHERE next_reminder_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `bookings_reminders_sandbox` ON `bookings` (`organization_id`,`is_test`,`next_reminder_at`) WHERE is_test = 1 AND next_reminder_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `holds` (
	`resource_id` text NOT NULL,
	`starts_at` integer NOT NULL,
	`ends_at` integer NOT NULL,
	`holder_id` text NOT NULL,
	`kept_by` text DEFAULT '' NOT NULL,
	`meets_at` integer,
	`expires_at` integer,
	PRIMARY KEY(`resource_id`, `kept_by`, `starts_at`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `holds_holder` ON `holds` (`holder_id`);--> statement-breakpoint
CREATE INDEX `holds_kept` ON `holds` (`kept_by`, `starts_at`) WHERE kept_by <> '';--> statement-breakpoint
CREATE INDEX `holds_expiry` ON `holds` (`resource_id`,`expires_at`) WHERE expires_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`event_type_id` text NOT NULL,
	`start_time` integer NOT NULL,
	`end_time` integer NOT NULL,
	`seats_taken` integer DEFAULT 0 NOT NULL,
	`assigned_host` text,
	`calendar_connection_id` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sessions_start` ON `sessions` (`event_type_id`,`start_time`);--> statement-breakpoint
CREATE TABLE `calendar_accounts` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`is_test` integer NOT NULL,
	`member_id` text NOT NULL,
	`provider` text NOT NULL,
	`account_key` text NOT NULL,
	`account_email` text NOT NULL,
	`server_url` text NOT NULL,
	`credentials` text NOT NULL,
	`calendars` text DEFAULT '[]' NOT NULL,
	`connected_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `calendar_accounts_key_of_member` ON `calendar_accounts` (`member_id`,`is_test`,`account_key`);--> statement-breakpoint
CREATE INDEX `calendar_accounts_organization` ON `calendar_accounts` (`organization_id`,`is_test`,`id`);--> statement-breakpoint
CREATE INDEX `calendar_accounts_key` ON `calendar_accounts` (`account_key`);--> statement-breakpoint
CREATE TABLE `calendar_busy_times` (
	`connection_id` text NOT NULL,
	`event_id` text NOT NULL,
	`starts_at` integer NOT NULL,
	`ends_at` integer NOT NULL,
	PRIMARY KEY(`connection_id`, `starts_at`, `event_id`)
);
--> statement-breakpoint
CREATE INDEX `calendar_busy_times_event` ON `calendar_busy_times` (`connection_id`,`event_id`);--> statement-breakpoint
CREATE TABLE `calendar_channels` (
	`id` text PRIMARY KEY NOT NULL,
	`connection_id` text NOT NULL,
	`provider` text NOT NULL,
	`resource_id` text,
	`secret_hash` text NOT NULL,
	`expires_at` integer NOT NULL,
	`renew_at` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `calendar_channels_connection` ON `calendar_channels` (`connection_id`);--> statement-breakpoint
CREATE INDEX `calendar_channels_renewal` ON `calendar_channels` (`renew_at`);--> statement-breakpoint
CREATE TABLE `calendar_connections` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`is_test` integer NOT NULL,
	`member_id` text NOT NULL,
	`account_id` text NOT NULL,
	`provider` text NOT NULL,
	`account_email` text NOT NULL,
	`calendar_id` text NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`is_primary` integer DEFAULT true NOT NULL,
	`can_write` integer DEFAULT true NOT NULL,
	`checks_busy` integer DEFAULT true NOT NULL,
	`receives_bookings` integer DEFAULT false NOT NULL,
	`timezone` text,
	`provider_metadata` text NOT NULL,
	`status` text NOT NULL,
	`sync_status` text NOT NULL,
	`sync_error` text,
	`sync_cursor` text,
	`synced_until` integer DEFAULT 0 NOT NULL,
	`last_sync_at` integer,
	`next_sync_at` integer NOT NULL,
	`sync_failures` integer DEFAULT 0 NOT NULL,
	`failing_at` integer,
	`tell_at` integer,
	`ends_at` integer,
	`lost_at` integer,
	`connected_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `calendar_connections_organization` ON `calendar_connections` (`organization_id`,`is_test`,`id`);--> statement-breakpoint
CREATE INDEX `calendar_connections_member` ON `calendar_connections` (`member_id`,`is_test`);--> statement-breakpoint
CREATE INDEX `calendar_connections_due` ON `calendar_connections` (`next_sync_at`) WHERE status IN ('active', 'error');--> statement-breakpoint
CREATE UNIQUE INDEX `calendar_connections_calendar` ON `calendar_connections` (`account_id`,`calendar_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `calendar_connections_receiving` ON `calendar_connections` (`member_id`,`is_test`) WHERE receives_bookings;--> statement-breakpoint
CREATE INDEX `calendar_connections_tell` ON `calendar_connections` (`tell_at`) WHERE tell_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `calendar_connections_end` ON `calendar_connections` (`ends_at`) WHERE ends_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `calendar_events` (
	`connection_id` text NOT NULL,
	`event_id` text NOT NULL,
	`uid` text NOT NULL,
	`etag` text,
	`starts_at` integer,
	`ends_at` integer,
	PRIMARY KEY(`connection_id`, `event_id`)
);
--> statement-breakpoint
CREATE INDEX `calendar_events_uid` ON `calendar_events` (`connection_id`,`uid`);--> statement-breakpoint
CREATE TABLE `calendar_feeds` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`member_id` text,
	`token_hash` text NOT NULL,
	`created_by_type` text NOT NULL,
	`created_by_id` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `calendar_feeds_token` ON `calendar_feeds` (`token_hash`);--> statement-breakpoint
CREATE INDEX `calendar_feeds_organization` ON `calendar_feeds` (`organization_id`,`id`);--> statement-breakpoint
CREATE INDEX `calendar_feeds_member` ON `calendar_feeds` (`member_id`);--> statement-breakpoint
CREATE INDEX `calendar_feeds_created_by` ON `calendar_feeds` (`created_by_id`) WHERE created_by_type = 'member';--> statement-breakpoint
CREATE TABLE `calendar_writes` (
	`holder_id` text NOT NULL,
	`connection_id` text NOT NULL,
	`organization_id` text NOT NULL,
	`uid` text NOT NULL,
	`wants_meeting` integer NOT NULL,
	`event_id` text,
	`calendar_id` text,
	`etag` text,
	`wanted_revision` integer DEFAULT 0 NOT NULL,
	`written_revision` integer DEFAULT 0 NOT NULL,
	`sequence` integer DEFAULT 0 NOT NULL,
	`written_start` integer,
	`written_end` integer,
	`meeting_url` text,
	`suspected_at` integer,
	`cancel_at` integer,
	`is_moved` integer DEFAULT false NOT NULL,
	`status` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_attempt_at` integer,
	`claimed_until` integer,
	`last_error` text,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`holder_id`, `connection_id`)
);
--> statement-breakpoint
CREATE INDEX `calendar_writes_connection` ON `calendar_writes` (`connection_id`,`uid`);--> statement-breakpoint
CREATE INDEX `calendar_writes_due` ON `calendar_writes` (`next_attempt_at`) WHERE next_attempt_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `calendar_writes_due_of` ON `calendar_writes` (`organization_id`,`next_attempt_at`) WHERE next_attempt_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `calendar_writes_event` ON `calendar_writes` (`connection_id`,`event_id`) WHERE event_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `calendar_writes_time` ON `calendar_writes` (`connection_id`,`written_start`) WHERE written_start IS NOT NULL;--> statement-breakpoint
CREATE INDEX `calendar_writes_failed` ON `calendar_writes` (`connection_id`) WHERE status = 'failed';--> statement-breakpoint
CREATE INDEX `calendar_writes_dragged` ON `calendar_writes` (`connection_id`) WHERE calendar_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `conferencing_connections` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`is_test` integer NOT NULL,
	`provider` text NOT NULL,
	`member_id` text DEFAULT '' NOT NULL,
	`external_id` text,
	`account_email` text,
	`credentials` text NOT NULL,
	`status` text NOT NULL,
	`error` text,
	`connected_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `conferencing_connections_email` ON `conferencing_connections` (`provider`, `account_email`);--> statement-breakpoint
CREATE UNIQUE INDEX `conferencing_connections_member` ON `conferencing_connections` (`organization_id`,`is_test`,`provider`,`member_id`);--> statement-breakpoint
CREATE INDEX `conferencing_connections_external` ON `conferencing_connections` (`provider`,`external_id`);--> statement-breakpoint
CREATE TABLE `meetings` (
	`holder_id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`is_test` integer NOT NULL,
	`provider` text NOT NULL,
	`connection_id` text,
	`meeting_id` text,
	`join_url` text,
	`wanted_revision` integer DEFAULT 0 NOT NULL,
	`written_start` integer,
	`written_end` integer,
	`status` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_attempt_at` integer,
	`claimed_until` integer,
	`last_error` text,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `meetings_due` ON `meetings` (`next_attempt_at`) WHERE next_attempt_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `meetings_due_of` ON `meetings` (`organization_id`,`next_attempt_at`) WHERE next_attempt_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `meetings_failed` ON `meetings` (`organization_id`) WHERE status = 'failed';--> statement-breakpoint
CREATE INDEX `meetings_organization` ON `meetings` (`organization_id`,`is_test`);--> statement-breakpoint
CREATE TABLE `console_links` (
	`id` text PRIMARY KEY NOT NULL,
	`token_hash` text NOT NULL,
	`member_id` text,
	`used_at` integer,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `console_links_token` ON `console_links` (`token_hash`);--> statement-breakpoint
CREATE INDEX `console_links_created` ON `console_links` (`created_at`);--> statement-breakpoint
CREATE TABLE `console_sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`token_hash` text NOT NULL,
	`email` text NOT NULL,
	`member_id` text,
	`organization_id` text,
	`is_test` integer DEFAULT false NOT NULL,
	`device` text DEFAULT '' NOT NULL,
	`proven_at` integer NOT NULL,
	`used_at` integer NOT NULL,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `console_sessions_token` ON `console_sessions` (`token_hash`);--> statement-breakpoint
CREATE INDEX `console_sessions_email` ON `console_sessions` (`email`,`id`);--> statement-breakpoint
CREATE INDEX `console_sessions_member` ON `console_sessions` (`member_id`,`id`) WHERE member_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `console_sessions_used` ON `console_sessions` (`used_at`);--> statement-breakpoint
CREATE TABLE `openid_accounts` (
	`id` text PRIMARY KEY NOT NULL,
	`issuer` text NOT NULL,
	`subject_hash` text NOT NULL,
	`email` text NOT NULL,
	`member_id` text,
	`used_at` integer,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `openid_accounts_subject` ON `openid_accounts` (`subject_hash`);--> statement-breakpoint
CREATE UNIQUE INDEX `openid_accounts_email` ON `openid_accounts` (`email`,`issuer`) WHERE member_id IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `openid_accounts_member` ON `openid_accounts` (`member_id`,`issuer`) WHERE member_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `passkeys` (
	`id` text PRIMARY KEY NOT NULL,
	`credential_id` text NOT NULL,
	`email` text NOT NULL,
	`member_id` text,
	`user_handle` text NOT NULL,
	`public_key` text NOT NULL,
	`counter` integer NOT NULL,
	`name` text NOT NULL,
	`used_at` integer,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `passkeys_credential` ON `passkeys` (`credential_id`);--> statement-breakpoint
CREATE INDEX `passkeys_email` ON `passkeys` (`email`,`id`);--> statement-breakpoint
CREATE INDEX `passkeys_member` ON `passkeys` (`member_id`,`id`) WHERE member_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `sign_in_codes` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`mailbox` text NOT NULL,
	`network` text NOT NULL,
	`browser` text,
	`locale` text NOT NULL,
	`path` text NOT NULL,
	`wrong_tries` integer DEFAULT 0 NOT NULL,
	`used_at` integer,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `sign_in_codes_email` ON `sign_in_codes` (`email`,`created_at`);--> statement-breakpoint
CREATE INDEX `sign_in_codes_network` ON `sign_in_codes` (`network`,`created_at`);--> statement-breakpoint
CREATE INDEX `sign_in_codes_created` ON `sign_in_codes` (`created_at`);--> statement-breakpoint
CREATE INDEX `sign_in_codes_mailbox` ON `sign_in_codes` (`mailbox`,`created_at`);--> statement-breakpoint
CREATE INDEX `sign_in_codes_browser` ON `sign_in_codes` (`browser`,`created_at`) WHERE browser IS NOT NULL;--> statement-breakpoint
CREATE TABLE `spent_challenges` (
	`hash` text PRIMARY KEY NOT NULL,
	`expires_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `spent_challenges_expires` ON `spent_challenges` (`expires_at`);--> statement-breakpoint
CREATE TABLE `deletions` (
	`organization_id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`requested_at` integer NOT NULL,
	`deletes_at` integer NOT NULL,
	`suspended_before` integer,
	`next_at` integer NOT NULL,
	`begun_at` integer,
	`requested_by` text DEFAULT 'operator' NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `deletions_due` ON `deletions` (`next_at`,`organization_id`);--> statement-breakpoint
CREATE TABLE `names` (
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`organization_id` text NOT NULL,
	`unsure_since` integer,
	PRIMARY KEY(`kind`, `name`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `names_of` ON `names` (`organization_id`,`kind`);--> statement-breakpoint
CREATE INDEX `names_unsure` ON `names` (`unsure_since`);--> statement-breakpoint
CREATE TABLE `email_codes` (
	`subject` text PRIMARY KEY NOT NULL,
	`code_mark` text NOT NULL,
	`wrong_tries` integer DEFAULT 0 NOT NULL,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `email_codes_created` ON `email_codes` (`created_at`);--> statement-breakpoint
CREATE TABLE `availability_overrides` (
	`id` text PRIMARY KEY NOT NULL,
	`event_type_id` text NOT NULL,
	`date` text NOT NULL,
	`intervals` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `availability_overrides_date` ON `availability_overrides` (`event_type_id`,`date`);--> statement-breakpoint
CREATE TABLE `availability_rules` (
	`id` text PRIMARY KEY NOT NULL,
	`event_type_id` text NOT NULL,
	`day_of_week` integer NOT NULL,
	`start_time` text NOT NULL,
	`end_time` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `availability_rules_event_type` ON `availability_rules` (`event_type_id`,`id`);--> statement-breakpoint
CREATE TABLE `event_types` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`is_test` integer NOT NULL,
	`title` text NOT NULL,
	`slug` text NOT NULL,
	`description` text,
	`duration_minutes` integer NOT NULL,
	`buffer_before_minutes` integer NOT NULL,
	`buffer_after_minutes` integer NOT NULL,
	`minimum_notice_minutes` integer NOT NULL,
	`color` text NOT NULL,
	`timezone` text NOT NULL,
	`active` integer NOT NULL,
	`price_amount` integer,
	`price_currency` text NOT NULL,
	`reminder_intervals` text NOT NULL,
	`duration_options` text,
	`max_attendees` integer NOT NULL,
	`assignment_strategy` text NOT NULL,
	`booking_cap` integer,
	`booking_cap_period` text,
	`waitlist_enabled` integer NOT NULL,
	`waitlist_max` integer NOT NULL,
	`waitlist_ttl_days` integer NOT NULL,
	`booking_page_enabled` integer NOT NULL,
	`conferencing_provider` text,
	`custom_meeting_url` text,
	`location` text,
	`calendar_outage` text DEFAULT 'last_known' NOT NULL,
	`refund_policy` text DEFAULT '[]' NOT NULL,
	`cancel_notice_minutes` integer DEFAULT 0 NOT NULL,
	`reschedule_notice_minutes` integer DEFAULT 0 NOT NULL,
	`verify_email` integer DEFAULT false NOT NULL,
	`requires_approval` integer DEFAULT false NOT NULL,
	`approval_ttl_minutes` integer DEFAULT 1440 NOT NULL,
	`questions` text DEFAULT '[]' NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`group_name` text,
	`redirect_url` text,
	`delayed_payment_methods` integer DEFAULT false NOT NULL,
	`hours_from` text DEFAULT 'own' NOT NULL,
	`schedule_id` text,
	`slot_interval_minutes` integer,
	`booking_window_days` integer,
	`bookable_from` text,
	`bookable_until` text,
	`invitee_limit` integer,
	`active_bookings` integer DEFAULT 0 NOT NULL,
	`version` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`deleted_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `event_types_slug` ON `event_types` (`organization_id`,`is_test`,`slug`) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX `event_types_organization` ON `event_types` (`organization_id`,`is_test`,`id`);--> statement-breakpoint
CREATE INDEX `event_types_deleted` ON `event_types` (`deleted_at`) WHERE deleted_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `event_types_active` ON `event_types` (`organization_id`,`is_test`,`active`,`id`) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX `event_types_schedule` ON `event_types` (`schedule_id`) WHERE schedule_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `event_type_hosts` (
	`id` text PRIMARY KEY NOT NULL,
	`event_type_id` text NOT NULL,
	`member_id` text NOT NULL,
	`resource_id` text NOT NULL,
	`priority` integer NOT NULL,
	`weight` integer NOT NULL,
	`schedule_id` text,
	`total_bookings` integer DEFAULT 0 NOT NULL,
	`last_booking_at` integer,
	`last_assignment` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `event_type_hosts_member` ON `event_type_hosts` (`event_type_id`,`member_id`);--> statement-breakpoint
CREATE INDEX `event_type_hosts_resource` ON `event_type_hosts` (`resource_id`);--> statement-breakpoint
CREATE INDEX `event_type_hosts_memberships` ON `event_type_hosts` (`member_id`);--> statement-breakpoint
CREATE INDEX `event_type_hosts_schedule` ON `event_type_hosts` (`schedule_id`) WHERE schedule_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `schedules` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`is_test` integer NOT NULL,
	`member_id` text,
	`name` text NOT NULL,
	`timezone` text NOT NULL,
	`rules` text NOT NULL,
	`overrides` text DEFAULT '[]' NOT NULL,
	`is_default` integer DEFAULT false NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `schedules_organization` ON `schedules` (`organization_id`,`is_test`,`id`);--> statement-breakpoint
CREATE INDEX `schedules_member` ON `schedules` (`member_id`) WHERE member_id IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `schedules_default` ON `schedules` (`member_id`,`is_test`) WHERE is_default = 1;--> statement-breakpoint
CREATE TABLE `time_off` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`is_test` integer NOT NULL,
	`member_id` text NOT NULL,
	`starts_at` integer NOT NULL,
	`ends_at` integer NOT NULL,
	`start_date` text,
	`end_date` text,
	`reason` text,
	`external_id` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `time_off_organization` ON `time_off` (`organization_id`,`is_test`,`id`);--> statement-breakpoint
CREATE INDEX `time_off_member` ON `time_off` (`member_id`,`is_test`,`ends_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `time_off_external` ON `time_off` (`member_id`,`is_test`,`external_id`) WHERE external_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `emails` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`kind` text NOT NULL,
	`subject_id` text,
	`recipient_id` text,
	`occasion` integer,
	`recipient` text NOT NULL,
	`message` text,
	`status` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_attempt_at` integer NOT NULL,
	`last_error` text,
	`created_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `emails_pending` ON `emails` (`next_attempt_at`) WHERE status = 'pending';--> statement-breakpoint
CREATE INDEX `emails_failed` ON `emails` (`created_at`) WHERE status = 'failed';--> statement-breakpoint
CREATE TABLE `letter_counts` (
	`day` integer NOT NULL,
	`organization_id` text NOT NULL,
	`is_test` integer NOT NULL,
	`address` text NOT NULL,
	`letters` integer NOT NULL,
	PRIMARY KEY(`day`, `organization_id`, `is_test`, `address`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `letter_keys` (
	`once_key` text PRIMARY KEY NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `sandbox_files` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`content` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `sandbox_files_organization` ON `sandbox_files` (`organization_id`);--> statement-breakpoint
CREATE INDEX `sandbox_files_age` ON `sandbox_files` (`created_at`);--> statement-breakpoint
CREATE TABLE `sandbox_outbox` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`once_key` text NOT NULL,
	`channel` text NOT NULL,
	`recipient` text NOT NULL,
	`subject` text,
	`body` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sandbox_outbox_once` ON `sandbox_outbox` (`once_key`);--> statement-breakpoint
CREATE INDEX `sandbox_outbox_organization` ON `sandbox_outbox` (`organization_id`,`id`);--> statement-breakpoint
CREATE INDEX `sandbox_outbox_age` ON `sandbox_outbox` (`created_at`);--> statement-breakpoint
CREATE TABLE `support_requests` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`is_test` integer NOT NULL,
	`subject` text NOT NULL,
	`message` text NOT NULL,
	`category` text NOT NULL,
	`status` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `support_requests_organization` ON `support_requests` (`organization_id`,`is_test`,`id`);--> statement-breakpoint
CREATE TABLE `import_chunks` (
	`import_id` text NOT NULL,
	`number` integer NOT NULL,
	`rows` text NOT NULL,
	PRIMARY KEY(`import_id`, `number`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `imports` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`seen_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `imports_seen` ON `imports` (`seen_at`);--> statement-breakpoint
CREATE TABLE `moves` (
	`organization_id` text PRIMARY KEY NOT NULL,
	`began_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `booking_quotas` (
	`organization_id` text NOT NULL,
	`month` text NOT NULL,
	`bookings` integer NOT NULL,
	`quota` integer NOT NULL,
	`noticed` text DEFAULT '{}' NOT NULL,
	`notice_at` integer,
	PRIMARY KEY(`organization_id`, `month`),
	CONSTRAINT "booking_quota" CHECK(bookings <= quota)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `booking_quotas_notices` ON `booking_quotas` (`organization_id`,`month`) WHERE notice_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `invitations` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`is_test` integer NOT NULL,
	`email` text NOT NULL,
	`role` text NOT NULL,
	`token_hash` text NOT NULL,
	`invited_by` text NOT NULL,
	`expires_at` integer NOT NULL,
	`accepted_at` integer,
	`revoked_at` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `invitations_token` ON `invitations` (`token_hash`);--> statement-breakpoint
CREATE UNIQUE INDEX `invitations_pending` ON `invitations` (`organization_id`,`is_test`,lower(email)) WHERE accepted_at IS NULL AND revoked_at IS NULL;--> statement-breakpoint
CREATE INDEX `invitations_ended` ON `invitations` (coalesce(accepted_at, revoked_at, expires_at));--> statement-breakpoint
CREATE INDEX `invitations_address` ON `invitations` (`organization_id`,lower(email),`id`);--> statement-breakpoint
CREATE INDEX `invitations_open` ON `invitations` (`organization_id`,`is_test`,`expires_at`) WHERE accepted_at IS NULL AND revoked_at IS NULL;--> statement-breakpoint
CREATE INDEX `invitations_made` ON `invitations` (`organization_id`,`is_test`,`id`);--> statement-breakpoint
CREATE TABLE `members` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`user_id` text NOT NULL,
	`user_email` text NOT NULL,
	`role` text NOT NULL,
	`invited_by` text DEFAULT '' NOT NULL,
	`name` text,
	`avatar_url` text,
	`timezone` text,
	`locale` text,
	`notifications` text,
	`next_agenda_at` integer,
	`max_bookings_per_day` integer,
	`max_bookings_per_week` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `members_user` ON `members` (`organization_id`,`user_id`);--> statement-breakpoint
CREATE INDEX `members_organizations` ON `members` (`user_id`,`organization_id`);--> statement-breakpoint
CREATE INDEX `members_agenda` ON `members` (`next_agenda_at`,`id`) WHERE next_agenda_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `members_email` ON `members` (lower(user_email),`id`);--> statement-breakpoint
CREATE TABLE `organizations` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`slug` text NOT NULL,
	`owner_user_id` text,
	`timezone` text DEFAULT 'UTC' NOT NULL,
	`locale` text DEFAULT 'en' NOT NULL,
	`tier` text DEFAULT 'free' NOT NULL,
	`onboarding_persona` text,
	`suspended_at` integer,
	`default_calendar_connection_id` text,
	`sandbox_now` integer,
	`sandbox_due_at` integer,
	`allowed_redirect_hosts` text,
	`onboarding_completed_at` integer,
	`booking_link_shared_at` integer,
	`availability_confirmed_at` integer,
	`checklist_dismissed_at` integer,
	`first_booking_celebrated_at` integer,
	`logo_url` text,
	`logo_alt_text` text,
	`logo_dark_url` text,
	`accent_color` text,
	`imprint_url` text,
	`privacy_url` text,
	`remove_branding` integer DEFAULT false NOT NULL,
	`listing_page_enabled` integer DEFAULT true NOT NULL,
	`bookings_per_network_hour` integer,
	`pending_per_network` integer,
	`active_per_email` integer,
	`waiting_per_email` integer,
	`attendees_per_booking` integer,
	`plan_limits` text,
	`live_version` integer DEFAULT 0 NOT NULL,
	`test_version` integer DEFAULT 0 NOT NULL,
	`hours_version` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `organizations_slug` ON `organizations` (`slug`);--> statement-breakpoint
CREATE UNIQUE INDEX `organizations_owner` ON `organizations` (`owner_user_id`);--> statement-breakpoint
CREATE INDEX `organizations_sandbox_due` ON `organizations` (`sandbox_due_at`,`id`) WHERE sandbox_due_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `usage_days` (
	`organization_id` text NOT NULL,
	`is_test` integer NOT NULL,
	`day` integer NOT NULL,
	`bookings` integer DEFAULT 0 NOT NULL,
	`cancelled` integer DEFAULT 0 NOT NULL,
	`unpaid` integer DEFAULT 0 NOT NULL,
	`no_shows` integer DEFAULT 0 NOT NULL,
	`host_absent` integer DEFAULT 0 NOT NULL,
	`deliveries` integer DEFAULT 0 NOT NULL,
	`arrived` integer DEFAULT 0 NOT NULL,
	`given_up` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`organization_id`, `is_test`, `day`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `disputes` (
	`id` text PRIMARY KEY NOT NULL,
	`payment_id` text NOT NULL,
	`organization_id` text NOT NULL,
	`is_test` integer NOT NULL,
	`amount` integer NOT NULL,
	`reason` text NOT NULL,
	`phase` text NOT NULL,
	`evidence_due_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `disputes_payment` ON `disputes` (`payment_id`);--> statement-breakpoint
CREATE TABLE `payment_accounts` (
	`organization_id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`country` text,
	`charges_enabled` integer DEFAULT false NOT NULL,
	`payouts_enabled` integer DEFAULT false NOT NULL,
	`connected_at` integer,
	`disconnected_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `payment_accounts_account` ON `payment_accounts` (`account_id`);--> statement-breakpoint
CREATE TABLE `payment_sums` (
	`organization_id` text NOT NULL,
	`is_test` integer NOT NULL,
	`currency` text NOT NULL,
	`payments` integer NOT NULL,
	`revenue` integer NOT NULL,
	`fees` integer NOT NULL,
	`refunded` integer NOT NULL,
	`lost` integer DEFAULT 0 NOT NULL,
	`pending` integer NOT NULL,
	PRIMARY KEY(`organization_id`, `is_test`, `currency`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `payments` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`is_test` integer NOT NULL,
	`event_type_id` text NOT NULL,
	`booking_id` text NOT NULL,
	`provider_account_id` text,
	`delayed_methods` integer DEFAULT false NOT NULL,
	`intent_id` text,
	`amount` integer NOT NULL,
	`currency` text NOT NULL,
	`platform_fee` integer NOT NULL,
	`status` text NOT NULL,
	`refunded_amount` integer DEFAULT 0 NOT NULL,
	`reserved_amount` integer DEFAULT 0 NOT NULL,
	`refunded_fee` integer DEFAULT 0 NOT NULL,
	`disputed_amount` integer DEFAULT 0 NOT NULL,
	`lost_amount` integer DEFAULT 0 NOT NULL,
	`refund_policy` text DEFAULT '[]' NOT NULL,
	`refund_id` text,
	`expires_at` integer NOT NULL,
	`next_attempt_at` integer,
	`attempts` integer DEFAULT 0 NOT NULL,
	`kept_scope` text,
	`kept_key` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `payments_booking` ON `payments` (`booking_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `payments_intent` ON `payments` (`intent_id`);--> statement-breakpoint
CREATE INDEX `payments_organization` ON `payments` (`organization_id`,`is_test`,`id`);--> statement-breakpoint
CREATE INDEX `payments_status` ON `payments` (`organization_id`,`is_test`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `payments_event_type` ON `payments` (`event_type_id`);--> statement-breakpoint
CREATE INDEX `payments_due` ON `payments` (`next_attempt_at`) WHERE next_attempt_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `payments_unpaid_sandbox` ON `payments` (`organization_id`,`is_test`,`expires_at`,`id`) WHERE is_test = 1 AND status IN ('pending', 'failed');--> statement-breakpoint
CREATE INDEX `payments_unpaid` ON `payments` (`is_test`,`expires_at`,`id`) WHERE status IN ('pending', 'failed');--> statement-breakpoint
CREATE TABLE `refunds` (
	`id` text PRIMARY KEY NOT NULL,
	`payment_id` text NOT NULL,
	`organization_id` text NOT NULL,
	`is_test` integer NOT NULL,
	`amount` integer NOT NULL,
	`reason` text,
	`cause` text DEFAULT 'request' NOT NULL,
	`status` text NOT NULL,
	`provider_refund_id` text,
	`claim` text,
	`claimed_for` text,
	`next_attempt_at` integer,
	`attempts` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `refunds_provider_refund` ON `refunds` (`provider_refund_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `refunds_claim` ON `refunds` (`claim`);--> statement-breakpoint
CREATE INDEX `refunds_payment` ON `refunds` (`payment_id`,`id`);--> statement-breakpoint
CREATE INDEX `refunds_due` ON `refunds` (`next_attempt_at`) WHERE next_attempt_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `subscriptions` (
	`organization_id` text PRIMARY KEY NOT NULL,
	`customer_id` text NOT NULL,
	`subscription_id` text,
	`status` text,
	`tier` text,
	`billing_interval` text,
	`current_period_start` integer,
	`current_period_end` integer,
	`cancel_at_period_end` integer DEFAULT false NOT NULL,
	`pending_tier` text,
	`told_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `subscriptions_customer` ON `subscriptions` (`customer_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `subscriptions_subscription` ON `subscriptions` (`subscription_id`);--> statement-breakpoint
CREATE INDEX `subscriptions_period` ON `subscriptions` (`current_period_end`) WHERE current_period_end IS NOT NULL;--> statement-breakpoint
CREATE TABLE `public_counts` (
	`ends_at` integer NOT NULL,
	`subject` text NOT NULL,
	`made` integer NOT NULL,
	PRIMARY KEY(`ends_at`, `subject`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `activity` (
	`id` text NOT NULL,
	`organization_id` text NOT NULL,
	`is_test` integer NOT NULL,
	`actor_type` text NOT NULL,
	`actor_id` text,
	`action` text NOT NULL,
	`resource_type` text NOT NULL,
	`resource_id` text,
	`changes` text,
	`ip_address` text,
	`request_id` text,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`organization_id`, `is_test`, `id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `activity_action` ON `activity` (`organization_id`,`is_test`,`resource_type`,`action`,`id`);--> statement-breakpoint
CREATE INDEX `activity_resource` ON `activity` (`resource_id`,`id`) WHERE resource_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `event_sequences` (
	`organization_id` text NOT NULL,
	`is_test` integer NOT NULL,
	`last` integer NOT NULL,
	PRIMARY KEY(`organization_id`, `is_test`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `events` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`is_test` integer NOT NULL,
	`sequence` integer NOT NULL,
	`kind` text NOT NULL,
	`data` text NOT NULL,
	`revision` integer DEFAULT 1 NOT NULL,
	`previous` text,
	`created_at` integer NOT NULL,
	`handled_at` integer,
	`retry_at` integer,
	`claimed_until` integer,
	`held_back` text
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `events_sequence` ON `events` (`organization_id`,`is_test`,`sequence`);--> statement-breakpoint
CREATE INDEX `events_unhandled` ON `events` (coalesce(retry_at, created_at),`id`) WHERE handled_at IS NULL;--> statement-breakpoint
CREATE TABLE `idempotency_keys` (
	`scope` text NOT NULL,
	`key` text NOT NULL,
	`request_hash` text NOT NULL,
	`status` integer NOT NULL,
	`answer` text NOT NULL,
	`expires_at` integer NOT NULL,
	PRIMARY KEY(`scope`, `key`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `idempotency_keys_expiry` ON `idempotency_keys` (`expires_at`);--> statement-breakpoint
CREATE TABLE `logged_addresses` (
	`organization_id` text NOT NULL,
	`is_test` integer NOT NULL,
	`first_id` text NOT NULL,
	PRIMARY KEY(`organization_id`, `is_test`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `logged_addresses_first_id` ON `logged_addresses` (`first_id`);--> statement-breakpoint
CREATE TABLE `operator_notices` (
	`subject` text PRIMARY KEY NOT NULL,
	`told_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `sweeps` (
	`name` text PRIMARY KEY NOT NULL,
	`ended_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `slot_holds` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`event_type_id` text NOT NULL,
	`is_test` integer NOT NULL,
	`purpose` text NOT NULL,
	`status` text NOT NULL,
	`start_time` integer NOT NULL,
	`end_time` integer NOT NULL,
	`seats` integer NOT NULL,
	`assigned_host_id` text,
	`assigned_host` text,
	`session_id` text,
	`calendar_connection_id` text,
	`busy_as_of` integer,
	`credited_ids` text NOT NULL,
	`is_assignment` integer NOT NULL,
	`metadata` text NOT NULL,
	`booking_id` text,
	`token_hash` text,
	`network_mark` text,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `slot_holds_session` ON `slot_holds` (`session_id`) WHERE session_id IS NOT NULL AND status = 'held';--> statement-breakpoint
CREATE INDEX `slot_holds_network` ON `slot_holds` (`organization_id`,`is_test`,`network_mark`) WHERE status = 'held' AND network_mark IS NOT NULL;--> statement-breakpoint
CREATE INDEX `slot_holds_over` ON `slot_holds` (`expires_at`) WHERE status <> 'held';--> statement-breakpoint
CREATE INDEX `slot_holds_booking` ON `slot_holds` (`booking_id`) WHERE booking_id IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `slot_holds_token` ON `slot_holds` (`token_hash`) WHERE status = 'held' AND token_hash IS NOT NULL;--> statement-breakpoint
CREATE INDEX `slot_holds_test` ON `slot_holds` (`event_type_id`) WHERE is_test = 1;--> statement-breakpoint
CREATE INDEX `slot_holds_event_type` ON `slot_holds` (`event_type_id`,`expires_at`) WHERE status = 'held' OR (status = 'expired' AND purpose <> 'hold');--> statement-breakpoint
CREATE INDEX `slot_holds_organization` ON `slot_holds` (`organization_id`,`is_test`,`id`);--> statement-breakpoint
CREATE INDEX `slot_holds_due_sandbox` ON `slot_holds` (`organization_id`,`is_test`,`expires_at`) WHERE is_test = 1 AND purpose = 'hold' AND status = 'held';--> statement-breakpoint
CREATE INDEX `slot_holds_undecided_sandbox` ON `slot_holds` (`organization_id`,`is_test`,`expires_at`,`id`) WHERE is_test = 1 AND purpose = 'approval' AND status IN ('held', 'expired');--> statement-breakpoint
CREATE INDEX `slot_holds_due` ON `slot_holds` (`is_test`,`expires_at`,`id`) WHERE status = 'held';--> statement-breakpoint
CREATE INDEX `slot_holds_undecided` ON `slot_holds` (`is_test`,`expires_at`,`id`) WHERE purpose = 'approval' AND status IN ('held', 'expired');--> statement-breakpoint
CREATE TABLE `freed_times` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`event_type_id` text NOT NULL,
	`source` text NOT NULL,
	`starts_at` integer NOT NULL,
	`ends_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `freed_times_event_type` ON `freed_times` (`event_type_id`,`id`);--> statement-breakpoint
CREATE INDEX `freed_times_source` ON `freed_times` (`source`);--> statement-breakpoint
CREATE TABLE `waitlist_entries` (
	`id` text PRIMARY KEY NOT NULL,
	`place` integer DEFAULT 0 NOT NULL,
	`organization_id` text NOT NULL,
	`event_type_id` text NOT NULL,
	`is_test` integer NOT NULL,
	`status` text NOT NULL,
	`invitee_name` text NOT NULL,
	`invitee_email` text NOT NULL,
	`invitee_timezone` text NOT NULL,
	`invitee_locale` text DEFAULT 'en' NOT NULL,
	`notes` text,
	`answers` text,
	`start_time` integer,
	`duration_minutes` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`address_mark` text,
	`promoted_booking_id` text,
	`promoted_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `waitlist_entries_waiting` ON `waitlist_entries` (`event_type_id`,CASE WHEN start_time IS NULL THEN -1 ELSE start_time END,lower(invitee_email)) WHERE status = 'waiting';--> statement-breakpoint
CREATE INDEX `waitlist_entries_waiting_address` ON `waitlist_entries` (`event_type_id`,`address_mark`,`expires_at`) WHERE status = 'waiting' AND address_mark IS NOT NULL;--> statement-breakpoint
CREATE INDEX `waitlist_entries_line` ON `waitlist_entries` (`event_type_id`,`place`) WHERE status = 'waiting';--> statement-breakpoint
CREATE INDEX `waitlist_entries_status` ON `waitlist_entries` (`organization_id`,`is_test`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `waitlist_entries_event_type` ON `waitlist_entries` (`event_type_id`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `waitlist_entries_slot` ON `waitlist_entries` (`event_type_id`,`start_time`,`place`) WHERE status = 'waiting';--> statement-breakpoint
CREATE INDEX `waitlist_entries_promoted` ON `waitlist_entries` (`promoted_booking_id`) WHERE promoted_booking_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `waitlist_entries_expiry_sandbox` ON `waitlist_entries` (`organization_id`,`is_test`,`expires_at`) WHERE is_test = 1 AND status = 'waiting';--> statement-breakpoint
CREATE INDEX `waitlist_entries_expiry` ON `waitlist_entries` (`is_test`,`expires_at`,`id`) WHERE status = 'waiting';--> statement-breakpoint
CREATE TABLE `webhook_deliveries` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`is_test` integer NOT NULL,
	`endpoint_id` text NOT NULL,
	`event_id` text NOT NULL,
	`event_kind` text NOT NULL,
	`payload` text NOT NULL,
	`status` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`last_attempt_at` integer,
	`response_status_code` integer,
	`response_body` text,
	`next_retry_at` integer,
	`tell_again_at` integer,
	`retry_of` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_deliveries_once` ON `webhook_deliveries` (`endpoint_id`,`event_id`) WHERE retry_of IS NULL;--> statement-breakpoint
CREATE INDEX `webhook_deliveries_status` ON `webhook_deliveries` (`endpoint_id`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_over` ON `webhook_deliveries` (`created_at`) WHERE status <> 'pending';--> statement-breakpoint
CREATE INDEX `webhook_deliveries_sandbox` ON `webhook_deliveries` (`organization_id`) WHERE is_test = 1;--> statement-breakpoint
CREATE INDEX `webhook_deliveries_told` ON `webhook_deliveries` (`tell_again_at`,`id`) WHERE status = 'pending' AND tell_again_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `webhook_deliveries_pending` ON `webhook_deliveries` (`next_retry_at`) WHERE status = 'pending' AND tell_again_at IS NULL;--> statement-breakpoint
CREATE TABLE `webhook_endpoints` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`is_test` integer NOT NULL,
	`url` text NOT NULL,
	`events` text NOT NULL,
	`description` text,
	`secret` text NOT NULL,
	`previous_secret` text,
	`previous_secret_expires_at` integer,
	`active` integer NOT NULL,
	`verification_status` text NOT NULL,
	`verified_at` integer,
	`verification_last_error` text,
	`consecutive_failures` integer DEFAULT 0 NOT NULL,
	`suspended_at` integer,
	`challenged_at` text DEFAULT '[]' NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `webhook_endpoints_organization` ON `webhook_endpoints` (`organization_id`,`is_test`,`id`);--> statement-breakpoint
CREATE VIEW guard AS SELECT '' AS fence, 0 AS refused;--> statement-breakpoint
CREATE VIEW event_type_calendars AS
SELECT hosting.event_type_id AS event_type_id, calendar.id AS calendar_id
FROM event_type_hosts hosting
JOIN event_types type ON type.id = hosting.event_type_id
JOIN calendar_connections calendar ON calendar.member_id = hosting.member_id AND calendar.is_test = type.is_test
UNION ALL
SELECT type.id, calendar.id
FROM event_types type
JOIN organizations ON organizations.id = type.organization_id
JOIN calendar_connections calendar
  ON calendar.organization_id = type.organization_id AND calendar.is_test = type.is_test
WHERE NOT EXISTS (SELECT 1 FROM event_type_hosts hosting WHERE hosting.event_type_id = type.id)
  AND (calendar.id = organizations.default_calendar_connection_id OR EXISTS (
    SELECT 1 FROM members
    WHERE members.id = calendar.member_id AND members.organization_id = organizations.id
      AND members.user_id = organizations.owner_user_id));
--> statement-breakpoint
CREATE VIEW event_type_resources AS
SELECT id AS event_type_id, id AS resource_id FROM event_types
UNION ALL SELECT event_type_id, resource_id FROM event_type_hosts
UNION ALL SELECT event_type_id, calendar_id FROM event_type_calendars;
--> statement-breakpoint
CREATE VIEW schedule_event_types AS
SELECT schedule_id, id AS event_type_id FROM event_types WHERE schedule_id IS NOT NULL
UNION ALL SELECT schedule_id, event_type_id FROM event_type_hosts WHERE schedule_id IS NOT NULL
UNION ALL SELECT s.id, h.event_type_id
  FROM schedules s JOIN event_type_hosts h ON h.member_id = s.member_id AND h.schedule_id IS NULL
  JOIN event_types e ON e.id = h.event_type_id AND e.is_test = s.is_test;
--> statement-breakpoint
CREATE VIEW cap_changes AS
SELECT event_type_id, start_time, CASE purpose WHEN 'hold' THEN 1 ELSE -1 END AS places,
  CASE WHEN purpose = 'hold' OR status = 'expired' THEN 0 ELSE expires_at END AS since,
  CASE purpose WHEN 'hold' THEN expires_at ELSE 8640000000000001 END AS until
FROM slot_holds WHERE status = 'held' OR (status = 'expired' AND purpose <> 'hold');
