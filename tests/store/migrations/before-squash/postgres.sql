SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;
SET default_tablespace = '';
SET default_table_access_method = heap;
CREATE TABLE public.api_token_aliases (
    hash text NOT NULL COLLATE pg_catalog."C",
    token_id text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.api_token_callers (
    token_id text NOT NULL COLLATE pg_catalog."C",
    app_name text,
    instance_id text,
    sdk_version text,
    seen_at bigint NOT NULL
);
CREATE TABLE public.api_token_projects (
    token_id text NOT NULL COLLATE pg_catalog."C",
    project text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.api_token_secrets (
    token_id text NOT NULL COLLATE pg_catalog."C",
    sealed text NOT NULL
);
CREATE TABLE public.api_tokens (
    id text NOT NULL COLLATE pg_catalog."C",
    hash text NOT NULL COLLATE pg_catalog."C",
    masked text NOT NULL,
    name text NOT NULL,
    type text NOT NULL,
    environment text NOT NULL COLLATE pg_catalog."C",
    all_projects smallint NOT NULL,
    expires_at bigint,
    created_at bigint NOT NULL,
    seen_at bigint
);
CREATE TABLE public.change_marks (
    name text NOT NULL COLLATE pg_catalog."C",
    revision bigint NOT NULL
);
CREATE TABLE public.change_request_approvers (
    request_id integer NOT NULL,
    user_id integer NOT NULL
);
CREATE TABLE public.change_request_changes (
    id integer NOT NULL,
    request_id integer NOT NULL,
    feature_name text COLLATE pg_catalog."C",
    segment_id integer,
    segment_name text,
    action text NOT NULL COLLATE pg_catalog."C",
    payload text NOT NULL,
    base text NOT NULL,
    created_by_user_id integer NOT NULL,
    created_by text NOT NULL,
    created_at bigint NOT NULL
);
ALTER TABLE public.change_request_changes ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.change_request_changes_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.change_request_comments (
    id integer NOT NULL,
    request_id integer NOT NULL,
    text text NOT NULL,
    created_by_user_id integer NOT NULL,
    created_by text NOT NULL,
    created_at bigint NOT NULL
);
ALTER TABLE public.change_request_comments ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.change_request_comments_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.change_request_opinions (
    request_id integer NOT NULL,
    user_id integer NOT NULL,
    opinion text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL
);
CREATE TABLE public.change_request_settings (
    project text NOT NULL COLLATE pg_catalog."C",
    environment text NOT NULL COLLATE pg_catalog."C",
    enabled smallint NOT NULL,
    required_approvals integer NOT NULL
);
CREATE TABLE public.change_requests (
    id integer NOT NULL,
    project text NOT NULL COLLATE pg_catalog."C",
    environment text NOT NULL COLLATE pg_catalog."C",
    title text NOT NULL,
    state text NOT NULL COLLATE pg_catalog."C",
    state_times text NOT NULL,
    created_by_user_id integer NOT NULL,
    created_by text NOT NULL,
    created_at bigint NOT NULL,
    scheduled_at bigint,
    scheduled_by_user_id integer,
    schedule_status text COLLATE pg_catalog."C",
    schedule_reason text
);
ALTER TABLE public.change_requests ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.change_requests_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.client_application_reach (
    app_name text NOT NULL COLLATE pg_catalog."C",
    project text NOT NULL COLLATE pg_catalog."C",
    environment text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.client_applications (
    app_name text NOT NULL COLLATE pg_catalog."C",
    strategies text NOT NULL,
    first_seen_at bigint NOT NULL,
    last_seen_at bigint NOT NULL,
    description text,
    url text,
    color text,
    icon text,
    by_public_token smallint DEFAULT 0 NOT NULL
);
CREATE TABLE public.client_instance_projects (
    app_name text NOT NULL COLLATE pg_catalog."C",
    instance_id text NOT NULL COLLATE pg_catalog."C",
    environment text NOT NULL COLLATE pg_catalog."C",
    project text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.client_instances (
    app_name text NOT NULL COLLATE pg_catalog."C",
    instance_id text NOT NULL COLLATE pg_catalog."C",
    environment text NOT NULL COLLATE pg_catalog."C",
    sdk_version text,
    address text,
    last_seen_at bigint NOT NULL,
    by_public_token smallint DEFAULT 0 NOT NULL,
    first_seen_at bigint
);
CREATE TABLE public.client_metrics (
    environment text NOT NULL COLLATE pg_catalog."C",
    app_name text NOT NULL COLLATE pg_catalog."C",
    feature_name text NOT NULL COLLATE pg_catalog."C",
    hour bigint NOT NULL,
    yes bigint NOT NULL,
    no bigint NOT NULL
);
CREATE TABLE public.client_metrics_variants (
    environment text NOT NULL COLLATE pg_catalog."C",
    app_name text NOT NULL COLLATE pg_catalog."C",
    feature_name text NOT NULL COLLATE pg_catalog."C",
    hour bigint NOT NULL,
    variant text NOT NULL COLLATE pg_catalog."C",
    count bigint NOT NULL
);
CREATE TABLE public.context_fields (
    name text NOT NULL COLLATE pg_catalog."C",
    description text,
    stickiness smallint DEFAULT 0 NOT NULL,
    sort_order integer NOT NULL,
    legal_values text NOT NULL,
    created_at bigint NOT NULL
);
CREATE TABLE public.database_epoch (
    epoch text NOT NULL COLLATE pg_catalog."C",
    origin text,
    begun_at bigint
);
CREATE TABLE public.environments (
    name text NOT NULL COLLATE pg_catalog."C",
    type text NOT NULL,
    sort_order integer NOT NULL,
    enabled smallint NOT NULL,
    protected smallint NOT NULL
);
CREATE TABLE public.event_search_blocks (
    block integer NOT NULL,
    events integer NOT NULL
);
CREATE TABLE public.event_search_postings (
    key integer NOT NULL,
    postings text NOT NULL
);
CREATE TABLE public.events (
    id integer NOT NULL,
    created_at bigint NOT NULL,
    type text NOT NULL,
    created_by text NOT NULL,
    created_by_user_id integer NOT NULL,
    project text COLLATE pg_catalog."C",
    environment text COLLATE pg_catalog."C",
    feature_name text COLLATE pg_catalog."C",
    data text,
    pre_data text,
    tags text NOT NULL,
    reach text COLLATE pg_catalog."C",
    address text,
    undo text
);
ALTER TABLE public.events ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.events_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.feature_comments (
    id integer NOT NULL,
    feature_name text NOT NULL COLLATE pg_catalog."C",
    text text NOT NULL,
    created_by_user_id integer NOT NULL,
    created_by text NOT NULL,
    created_at bigint NOT NULL,
    edited_at bigint
);
ALTER TABLE public.feature_comments ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.feature_comments_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.feature_dependencies (
    child text NOT NULL COLLATE pg_catalog."C",
    parent text NOT NULL COLLATE pg_catalog."C",
    enabled smallint NOT NULL,
    variants text NOT NULL
);
CREATE TABLE public.feature_environments (
    feature_name text NOT NULL COLLATE pg_catalog."C",
    environment text NOT NULL COLLATE pg_catalog."C",
    enabled smallint DEFAULT 0 NOT NULL,
    variants text NOT NULL,
    last_seen_at bigint
);
CREATE TABLE public.feature_favorites (
    user_id integer NOT NULL,
    feature_name text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.feature_links (
    id text NOT NULL COLLATE pg_catalog."C",
    feature_name text NOT NULL COLLATE pg_catalog."C",
    url text NOT NULL,
    title text,
    sort_order integer NOT NULL
);
CREATE TABLE public.feature_snoozes (
    feature_name text NOT NULL COLLATE pg_catalog."C",
    until bigint NOT NULL,
    created_by text NOT NULL
);
CREATE TABLE public.feature_stages (
    feature_name text NOT NULL COLLATE pg_catalog."C",
    stage text NOT NULL COLLATE pg_catalog."C",
    entered_at bigint NOT NULL,
    status text,
    status_value text
);
CREATE TABLE public.feature_strategies (
    id text NOT NULL COLLATE pg_catalog."C",
    feature_name text NOT NULL COLLATE pg_catalog."C",
    environment text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL,
    title text,
    disabled smallint DEFAULT 0 NOT NULL,
    parameters text NOT NULL,
    constraints text NOT NULL,
    variants text NOT NULL,
    sort_order integer NOT NULL,
    created_at bigint NOT NULL
);
CREATE TABLE public.feature_strategy_segments (
    strategy_id text NOT NULL COLLATE pg_catalog."C",
    segment_id integer NOT NULL
);
CREATE TABLE public.feature_tags (
    feature_name text NOT NULL COLLATE pg_catalog."C",
    type text NOT NULL COLLATE pg_catalog."C",
    value text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.feature_types (
    id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL,
    description text NOT NULL,
    lifetime_days integer,
    sort_order integer NOT NULL
);
CREATE TABLE public.feature_values (
    feature_name text NOT NULL COLLATE pg_catalog."C",
    value_type text NOT NULL COLLATE pg_catalog."C",
    default_value text NOT NULL
);
CREATE TABLE public.features (
    name text NOT NULL COLLATE pg_catalog."C",
    project text NOT NULL COLLATE pg_catalog."C",
    type text NOT NULL,
    description text,
    stale smallint DEFAULT 0 NOT NULL,
    impression_data smallint DEFAULT 0 NOT NULL,
    created_at bigint NOT NULL,
    archived_at bigint,
    last_seen_at bigint,
    potentially_stale smallint DEFAULT 0 NOT NULL,
    created_by text,
    created_by_user_id integer
);
CREATE TABLE public.feedback (
    user_id integer NOT NULL,
    feedback_id text NOT NULL COLLATE pg_catalog."C",
    never_show smallint DEFAULT 0 NOT NULL,
    given bigint
);
CREATE TABLE public.flag_presences (
    user_id integer NOT NULL,
    feature_name text NOT NULL COLLATE pg_catalog."C",
    seen_at bigint NOT NULL
);
CREATE TABLE public.group_members (
    group_id integer NOT NULL,
    user_id integer NOT NULL,
    joined_at bigint NOT NULL,
    created_by text NOT NULL
);
CREATE TABLE public.groups (
    id integer NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    description text,
    mappings_sso text NOT NULL,
    root_role integer,
    created_by text NOT NULL,
    created_at bigint NOT NULL,
    scim_id text COLLATE pg_catalog."C",
    scim_external_id text COLLATE pg_catalog."C"
);
ALTER TABLE public.groups ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.groups_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.hidden_presences (
    user_id integer NOT NULL
);
CREATE TABLE public.integration_attempts (
    id integer NOT NULL,
    integration_id integer NOT NULL,
    event_id bigint,
    created_at bigint NOT NULL,
    attempt integer NOT NULL,
    state text NOT NULL COLLATE pg_catalog."C",
    status integer,
    duration_ms integer NOT NULL,
    error text NOT NULL,
    next_at bigint
);
ALTER TABLE public.integration_attempts ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.integration_attempts_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.integration_deliveries (
    integration_id integer NOT NULL,
    event_id bigint NOT NULL,
    attempts integer NOT NULL,
    part integer NOT NULL,
    due_at bigint NOT NULL
);
CREATE TABLE public.integration_lease (
    name text NOT NULL COLLATE pg_catalog."C",
    holder text NOT NULL,
    until_ms bigint NOT NULL
);
CREATE TABLE public.integration_project_grants (
    integration_id integer NOT NULL,
    project text NOT NULL COLLATE pg_catalog."C",
    granted_by integer NOT NULL
);
CREATE TABLE public.integrations (
    id integer NOT NULL,
    provider text NOT NULL COLLATE pg_catalog."C",
    enabled smallint NOT NULL,
    description text,
    open_parameters text NOT NULL,
    sealed_parameters text NOT NULL,
    event_types text NOT NULL,
    only_projects text NOT NULL,
    only_environments text NOT NULL,
    seen_event_id bigint NOT NULL,
    created_at bigint NOT NULL
);
ALTER TABLE public.integrations ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.integrations_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.invite_link_users (
    link_id integer NOT NULL,
    user_id integer NOT NULL
);
CREATE TABLE public.invite_links (
    id integer NOT NULL,
    secret text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL,
    created_by text NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    enabled smallint NOT NULL,
    sealed_secret text
);
ALTER TABLE public.invite_links ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.invite_links_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.known_networks (
    user_id integer NOT NULL,
    network_hash text NOT NULL COLLATE pg_catalog."C",
    seen_at bigint NOT NULL
);
CREATE TABLE public.kysely_migration (
    name character varying(255) NOT NULL,
    "timestamp" character varying(255) NOT NULL
);
CREATE TABLE public.kysely_migration_lock (
    id character varying(255) NOT NULL,
    is_locked integer DEFAULT 0 NOT NULL
);
CREATE TABLE public.login_history (
    id integer NOT NULL,
    username text NOT NULL,
    auth_type text NOT NULL,
    created_at bigint NOT NULL,
    successful smallint NOT NULL,
    ip text,
    failure_reason text
);
ALTER TABLE public.login_history ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.login_history_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.notification_reads (
    user_id integer NOT NULL,
    read_up_to integer NOT NULL
);
CREATE TABLE public.personal_tokens (
    id integer NOT NULL,
    user_id integer NOT NULL,
    description text NOT NULL,
    hash text NOT NULL COLLATE pg_catalog."C",
    expires_at bigint NOT NULL,
    created_at bigint NOT NULL,
    seen_at bigint
);
ALTER TABLE public.personal_tokens ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.personal_tokens_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.project_environment_defaults (
    project text NOT NULL COLLATE pg_catalog."C",
    environment text NOT NULL COLLATE pg_catalog."C",
    default_strategy text NOT NULL
);
CREATE TABLE public.project_environments (
    project text NOT NULL COLLATE pg_catalog."C",
    environment text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.project_favorites (
    user_id integer NOT NULL,
    project text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.project_groups (
    project text NOT NULL COLLATE pg_catalog."C",
    group_id integer NOT NULL,
    role_id integer NOT NULL,
    created_at bigint NOT NULL
);
CREATE TABLE public.project_members (
    user_id integer NOT NULL,
    project text NOT NULL COLLATE pg_catalog."C",
    role_id integer NOT NULL,
    created_at bigint
);
CREATE TABLE public.projects (
    id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL,
    description text,
    mode text NOT NULL,
    default_stickiness text NOT NULL,
    created_at bigint NOT NULL,
    archived_at bigint,
    feature_naming_pattern text,
    feature_naming_example text,
    feature_naming_description text,
    feature_limit integer,
    link_templates text DEFAULT '[]'::text NOT NULL
);
CREATE TABLE public.removed_private_projects (
    id text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.reset_tokens (
    hash text NOT NULL COLLATE pg_catalog."C",
    user_id integer NOT NULL,
    created_by text NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    ends_tokens smallint DEFAULT 1 NOT NULL
);
CREATE TABLE public.role_permissions (
    role_id integer NOT NULL,
    permission text NOT NULL COLLATE pg_catalog."C",
    environment text COLLATE pg_catalog."C",
    all_environments smallint DEFAULT 0 NOT NULL
);
CREATE TABLE public.roles (
    id integer NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    description text NOT NULL,
    type text NOT NULL
);
ALTER TABLE public.roles ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.roles_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.sampled_environments (
    name text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.segments (
    id integer NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    description text,
    project text COLLATE pg_catalog."C",
    constraints text NOT NULL,
    created_by text NOT NULL,
    created_at bigint NOT NULL
);
ALTER TABLE public.segments ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.segments_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.sessions (
    hash text NOT NULL COLLATE pg_catalog."C",
    user_id integer NOT NULL,
    created_at bigint NOT NULL,
    used_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    id_token text
);
CREATE TABLE public.settings (
    name text NOT NULL COLLATE pg_catalog."C",
    value text NOT NULL
);
CREATE TABLE public.splash (
    user_id integer NOT NULL,
    splash_id text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.sso_identities (
    issuer text NOT NULL COLLATE pg_catalog."C",
    subject text NOT NULL COLLATE pg_catalog."C",
    user_id integer NOT NULL,
    created_at bigint NOT NULL
);
CREATE TABLE public.strategy_types (
    name text NOT NULL COLLATE pg_catalog."C",
    title text,
    description text,
    parameters text NOT NULL,
    deprecated smallint DEFAULT 0 NOT NULL,
    built_in smallint DEFAULT 0 NOT NULL,
    sort_order integer NOT NULL
);
CREATE TABLE public.tag_types (
    name text NOT NULL COLLATE pg_catalog."C",
    description text,
    icon text
);
CREATE TABLE public.tags (
    type text NOT NULL COLLATE pg_catalog."C",
    value text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.unknown_flag_projects (
    name text NOT NULL COLLATE pg_catalog."C",
    app_name text NOT NULL COLLATE pg_catalog."C",
    environment text NOT NULL COLLATE pg_catalog."C",
    project text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.unknown_flags (
    name text NOT NULL COLLATE pg_catalog."C",
    app_name text NOT NULL COLLATE pg_catalog."C",
    environment text NOT NULL COLLATE pg_catalog."C",
    last_seen_at bigint NOT NULL
);
CREATE TABLE public.users (
    id integer NOT NULL,
    username text COLLATE pg_catalog."C",
    email text COLLATE pg_catalog."C",
    name text,
    password_hash text NOT NULL,
    root_role integer NOT NULL,
    must_change_password smallint DEFAULT 0 NOT NULL,
    login_attempts integer DEFAULT 0 NOT NULL,
    created_at bigint NOT NULL,
    seen_at bigint,
    is_service smallint DEFAULT 0 NOT NULL,
    image_url text,
    scim_id text COLLATE pg_catalog."C",
    scim_external_id text COLLATE pg_catalog."C",
    active smallint DEFAULT 1 NOT NULL,
    own_email smallint DEFAULT 0 NOT NULL,
    address_verified smallint DEFAULT 0 NOT NULL
);
ALTER TABLE public.users ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.users_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
INSERT INTO public.api_token_callers VALUES ('8a6a1869-186f-4513-936f-84691f6610dc', NULL, NULL, NULL, 1795808670551);
INSERT INTO public.api_token_callers VALUES ('f7a5287a-0f8f-4fa9-ba31-3b1642657c10', NULL, NULL, NULL, 1795808672251);
INSERT INTO public.api_tokens VALUES ('8a6a1869-186f-4513-936f-84691f6610dc', '0d149aff173c7febdede8b34743f8ed3400111dee08dacc37d106409d739497c', '*:*.…', 'admin', 'admin', '*', 1, NULL, 1795808669890, 1795808670551);
INSERT INTO public.api_tokens VALUES ('f7a5287a-0f8f-4fa9-ba31-3b1642657c10', '4889b593bad7be0f8fab9a6ab5141f0d4e978136274f07cc4eca80a036b4e858', '*:development.old-…', 'admin', 'client', 'development', 1, NULL, 1795808669890, 1795808672251);
INSERT INTO public.change_marks VALUES ('usage', 0);
INSERT INTO public.change_marks VALUES ('overdue', 0);
INSERT INTO public.context_fields VALUES ('userId', 'Who uses the application', 1, 0, '[]', 1795808667148);
INSERT INTO public.context_fields VALUES ('sessionId', 'The session of that user', 1, 1, '[]', 1795808667148);
INSERT INTO public.context_fields VALUES ('appName', 'Name of the application', 0, 2, '[]', 1795808667148);
INSERT INTO public.context_fields VALUES ('environment', 'Environment the application runs in', 0, 3, '[]', 1795808667148);
INSERT INTO public.context_fields VALUES ('currentTime', 'When it is, for constraints on dates', 0, 4, '[]', 1795808667148);
INSERT INTO public.context_fields VALUES ('tenant', NULL, 0, 5, '[]', 1795808672226);
INSERT INTO public.database_epoch VALUES ('dc86bf77193441c2', '7712938799720679404/00000001/17333/771', 1795808668989);
INSERT INTO public.environments VALUES ('development', 'development', 100, 1, 0);
INSERT INTO public.environments VALUES ('production', 'production', 200, 1, 0);
INSERT INTO public.events OVERRIDING SYSTEM VALUE VALUES (1, 1795808669890, 'user-created', 'system', -1337, NULL, NULL, NULL, '{"id":1,"username":"admin","email":null,"name":null,"rootRole":1}', 'null', '[]', NULL, NULL, NULL);
INSERT INTO public.events OVERRIDING SYSTEM VALUE VALUES (2, 1795808669890, 'api-token-created', 'system', -1337, '*', '*', NULL, '{"id":"8a6a1869-186f-4513-936f-84691f6610dc","secret":"*:*.…","tokenName":"admin","username":"admin","type":"admin","environment":"*","project":"*","projects":["*"],"expiresAt":null,"createdAt":"2026-11-27T19:44:29.890Z","seenAt":null,"alias":null}', 'null', '[]', NULL, NULL, NULL);
INSERT INTO public.events OVERRIDING SYSTEM VALUE VALUES (3, 1795808669890, 'api-token-created', 'system', -1337, '*', 'development', NULL, '{"id":"f7a5287a-0f8f-4fa9-ba31-3b1642657c10","secret":"*:development.old-…","tokenName":"admin","username":"admin","type":"client","environment":"development","project":"*","projects":["*"],"expiresAt":null,"createdAt":"2026-11-27T19:44:29.890Z","seenAt":null,"alias":null}', 'null', '[]', NULL, NULL, NULL);
INSERT INTO public.events OVERRIDING SYSTEM VALUE VALUES (4, 1795808670579, 'segment-created', 'admin', -42, NULL, NULL, NULL, '{"id":1,"name":"staff","description":null,"project":null,"constraints":[{"contextName":"userId","operator":"IN","values":["7"],"inverted":false,"caseInsensitive":false}],"createdBy":"admin","createdAt":"2026-11-27T19:44:30.579Z"}', 'null', '[]', '', '127.0.0.1', NULL);
INSERT INTO public.events OVERRIDING SYSTEM VALUE VALUES (5, 1795808670662, 'feature-created', 'admin', -42, 'default', NULL, 'old-flag', '{"name":"old-flag","description":"From before","type":"release","project":"default","stale":false,"potentiallyStale":false,"variants":[],"createdAt":"2026-11-27T19:44:30.662Z","lastSeenAt":null,"impressionData":false,"archivedAt":null,"archived":false}', 'null', '[]', '', '127.0.0.1', NULL);
INSERT INTO public.events OVERRIDING SYSTEM VALUE VALUES (6, 1795808670748, 'feature-created', 'admin', -42, 'default', NULL, 'old-parent', '{"name":"old-parent","description":null,"type":"release","project":"default","stale":false,"potentiallyStale":false,"variants":[],"createdAt":"2026-11-27T19:44:30.748Z","lastSeenAt":null,"impressionData":false,"archivedAt":null,"archived":false}', 'null', '[]', '', '127.0.0.1', NULL);
INSERT INTO public.events OVERRIDING SYSTEM VALUE VALUES (7, 1795808670816, 'feature-strategy-add', 'admin', -42, 'default', 'development', 'old-parent', '{"id":"6168133b-7f6b-4e65-a72d-0ad494986b40","name":"default","title":null,"disabled":false,"sortOrder":0,"parameters":{},"constraints":[],"segments":[],"variants":[]}', 'null', '[]', 'development', '127.0.0.1', NULL);
INSERT INTO public.events OVERRIDING SYSTEM VALUE VALUES (8, 1795808670874, 'feature-environment-enabled', 'admin', -42, 'default', 'development', 'old-parent', '{"enabled":true}', '{"enabled":false}', '[]', 'development', '127.0.0.1', NULL);
INSERT INTO public.events OVERRIDING SYSTEM VALUE VALUES (9, 1795808670898, 'feature-strategy-add', 'admin', -42, 'default', 'development', 'old-flag', '{"id":"faf2ed3a-0ab3-431f-b434-da824d104857","name":"flexibleRollout","title":null,"disabled":false,"sortOrder":0,"parameters":{"rollout":"100","stickiness":"userId","groupId":"old-flag"},"constraints":[],"segments":[1],"variants":[{"name":"a","weight":500,"weightType":"variable","stickiness":"default"},{"name":"b","weight":500,"weightType":"variable","stickiness":"default"}]}', 'null', '[]', 'development', '127.0.0.1', NULL);
INSERT INTO public.events OVERRIDING SYSTEM VALUE VALUES (10, 1795808670975, 'feature-environment-enabled', 'admin', -42, 'default', 'development', 'old-flag', '{"enabled":true}', '{"enabled":false}', '[]', 'development', '127.0.0.1', NULL);
INSERT INTO public.events OVERRIDING SYSTEM VALUE VALUES (11, 1795808670997, 'feature-dependency-added', 'admin', -42, 'default', NULL, 'old-flag', '{"feature":"old-parent","enabled":true,"variants":[]}', 'null', '[]', '', '127.0.0.1', NULL);
INSERT INTO public.events OVERRIDING SYSTEM VALUE VALUES (12, 1795808671070, 'tag-created', 'admin', -42, NULL, NULL, NULL, '{"value":"old","type":"simple"}', 'null', '[]', NULL, '127.0.0.1', NULL);
INSERT INTO public.events OVERRIDING SYSTEM VALUE VALUES (13, 1795808671138, 'feature-tagged', 'admin', -42, 'default', NULL, 'old-flag', '{"type":"simple","value":"old"}', 'null', '[{"value":"old","type":"simple"}]', '', '127.0.0.1', NULL);
INSERT INTO public.events OVERRIDING SYSTEM VALUE VALUES (14, 1795808672175, 'user-created', 'admin', -42, NULL, NULL, NULL, '{"id":2,"username":"ada","email":null,"name":"Ada","rootRole":2}', 'null', '[]', NULL, '127.0.0.1', NULL);
INSERT INTO public.events OVERRIDING SYSTEM VALUE VALUES (15, 1795808672226, 'context-field-created', 'admin', -42, NULL, NULL, NULL, '{"name":"tenant","description":null,"stickiness":false,"sortOrder":5,"legalValues":[],"createdAt":"2026-11-27T19:44:32.226Z"}', 'null', '[]', NULL, '127.0.0.1', NULL);
INSERT INTO public.feature_dependencies VALUES ('old-flag', 'old-parent', 1, '[]');
INSERT INTO public.feature_environments VALUES ('old-flag', 'production', 0, '[]', NULL);
INSERT INTO public.feature_environments VALUES ('old-parent', 'production', 0, '[]', NULL);
INSERT INTO public.feature_environments VALUES ('old-parent', 'development', 1, '[]', NULL);
INSERT INTO public.feature_environments VALUES ('old-flag', 'development', 1, '[]', NULL);
INSERT INTO public.feature_strategies VALUES ('6168133b-7f6b-4e65-a72d-0ad494986b40', 'old-parent', 'development', 'default', NULL, 0, '{}', '[]', '[]', 0, 1795808670816);
INSERT INTO public.feature_strategies VALUES ('faf2ed3a-0ab3-431f-b434-da824d104857', 'old-flag', 'development', 'flexibleRollout', NULL, 0, '{"rollout":"100","stickiness":"userId","groupId":"old-flag"}', '[]', '[{"name":"a","weight":500,"weightType":"variable","stickiness":"default"},{"name":"b","weight":500,"weightType":"variable","stickiness":"default"}]', 0, 1795808670898);
INSERT INTO public.feature_strategy_segments VALUES ('faf2ed3a-0ab3-431f-b434-da824d104857', 1);
INSERT INTO public.feature_tags VALUES ('old-flag', 'simple', 'old');
INSERT INTO public.feature_types VALUES ('release', 'Release', 'Brings out something new step by step.', 40, 0);
INSERT INTO public.feature_types VALUES ('experiment', 'Experiment', 'Compares variants with each other.', 40, 1);
INSERT INTO public.feature_types VALUES ('operational', 'Operational', 'Steers how the system runs for a while.', 7, 2);
INSERT INTO public.feature_types VALUES ('kill-switch', 'Kill switch', 'Takes something away in an emergency.', NULL, 3);
INSERT INTO public.feature_types VALUES ('permission', 'Permission', 'Gives something to some people for good.', NULL, 4);
INSERT INTO public.features VALUES ('old-flag', 'default', 'release', 'From before', 0, 0, 1795808670662, NULL, NULL, 0, 'admin', -42);
INSERT INTO public.features VALUES ('old-parent', 'default', 'release', NULL, 0, 0, 1795808670748, NULL, NULL, 0, 'admin', -42);
INSERT INTO public.kysely_migration VALUES ('0001-start', '2026-11-27T19:44:27.718Z');
INSERT INTO public.kysely_migration VALUES ('0002-admin', '2026-11-27T19:44:27.918Z');
INSERT INTO public.kysely_migration VALUES ('0003-reset-tokens', '2026-11-27T19:44:27.938Z');
INSERT INTO public.kysely_migration VALUES ('0004-lives', '2026-11-27T19:44:27.946Z');
INSERT INTO public.kysely_migration VALUES ('0005-unknown-flags', '2026-11-27T19:44:27.959Z');
INSERT INTO public.kysely_migration VALUES ('0006-application-reach', '2026-11-27T19:44:27.983Z');
INSERT INTO public.kysely_migration VALUES ('0007-flag-rules', '2026-11-27T19:44:27.986Z');
INSERT INTO public.kysely_migration VALUES ('0008-epoch', '2026-11-27T19:44:28.015Z');
INSERT INTO public.kysely_migration VALUES ('0009-reset-choice', '2026-11-27T19:44:28.017Z');
INSERT INTO public.kysely_migration VALUES ('0010-usage-by-hour', '2026-11-27T19:44:28.069Z');
INSERT INTO public.kysely_migration VALUES ('0013-change-marks', '2026-11-27T19:44:28.092Z');
INSERT INTO public.kysely_migration VALUES ('0014-event-names', '2026-11-27T19:44:28.142Z');
INSERT INTO public.kysely_migration VALUES ('0018-flag-values', '2026-11-27T19:44:28.175Z');
INSERT INTO public.kysely_migration VALUES ('0019-feature-stages', '2026-11-27T19:44:28.187Z');
INSERT INTO public.kysely_migration VALUES ('0020-invite-links', '2026-11-27T19:44:28.240Z');
INSERT INTO public.kysely_migration VALUES ('0021-token-secrets', '2026-11-27T19:44:28.269Z');
INSERT INTO public.kysely_migration VALUES ('0022-integrations', '2026-11-27T19:44:28.342Z');
INSERT INTO public.kysely_migration VALUES ('0023-roles', '2026-11-27T19:44:28.507Z');
INSERT INTO public.kysely_migration VALUES ('0024-single-sign-on', '2026-11-27T19:44:28.519Z');
INSERT INTO public.kysely_migration VALUES ('0026-project-life', '2026-11-27T19:44:28.542Z');
INSERT INTO public.kysely_migration VALUES ('0027-change-requests', '2026-11-27T19:44:28.626Z');
INSERT INTO public.kysely_migration VALUES ('0028-token-aliases', '2026-11-27T19:44:28.641Z');
INSERT INTO public.kysely_migration VALUES ('0029-scim', '2026-11-27T19:44:28.650Z');
INSERT INTO public.kysely_migration VALUES ('0030-removed-projects', '2026-11-27T19:44:28.666Z');
INSERT INTO public.kysely_migration VALUES ('0032-callers-and-snoozes', '2026-11-27T19:44:28.702Z');
INSERT INTO public.kysely_migration VALUES ('0033-sampled-environments', '2026-11-27T19:44:28.718Z');
INSERT INTO public.kysely_migration VALUES ('0034-undo', '2026-11-27T19:44:28.721Z');
INSERT INTO public.kysely_migration VALUES ('0038-usage-by-app', '2026-11-27T19:44:28.724Z');
INSERT INTO public.kysely_migration VALUES ('0039-feature-comments', '2026-11-27T19:44:28.734Z');
INSERT INTO public.kysely_migration VALUES ('0040-notification-reads', '2026-11-27T19:44:28.766Z');
INSERT INTO public.kysely_migration VALUES ('0041-flag-presences', '2026-11-27T19:44:28.820Z');
INSERT INTO public.kysely_migration VALUES ('0042-own-email', '2026-11-27T19:44:28.822Z');
INSERT INTO public.kysely_migration VALUES ('0043-role-environments', '2026-11-27T19:44:28.826Z');
INSERT INTO public.kysely_migration VALUES ('0044-address-verified', '2026-11-27T19:44:28.837Z');
INSERT INTO public.kysely_migration VALUES ('0047-usage-sources', '2026-11-27T19:44:28.890Z');
INSERT INTO public.kysely_migration VALUES ('0048-integration-grants', '2026-11-27T19:44:28.912Z');
INSERT INTO public.kysely_migration VALUES ('0052-known-networks', '2026-11-27T19:44:28.934Z');
INSERT INTO public.kysely_migration VALUES ('0062-inherited-stickiness', '2026-11-27T19:44:28.937Z');
INSERT INTO public.kysely_migration VALUES ('0064-sealed-invite-links', '2026-11-27T19:44:28.938Z');
INSERT INTO public.kysely_migration VALUES ('0070-variant-order', '2026-11-27T19:44:28.939Z');
INSERT INTO public.kysely_migration VALUES ('0071-events-by-user', '2026-11-27T19:44:28.944Z');
INSERT INTO public.kysely_migration VALUES ('0076-epoch-begin', '2026-11-27T19:44:28.945Z');
INSERT INTO public.kysely_migration VALUES ('0079-event-search', '2026-11-27T19:44:28.966Z');
INSERT INTO public.kysely_migration_lock VALUES ('migration_lock', 0);
INSERT INTO public.project_environments VALUES ('default', 'development');
INSERT INTO public.project_environments VALUES ('default', 'production');
INSERT INTO public.projects VALUES ('default', 'Default', 'Default project', 'open', 'default', 1795808667148, NULL, NULL, NULL, NULL, NULL, '[]');
INSERT INTO public.roles OVERRIDING SYSTEM VALUE VALUES (1, 'Admin', 'All permissions.', 'root');
INSERT INTO public.roles OVERRIDING SYSTEM VALUE VALUES (2, 'Editor', 'Can change flags in the default project, and objects that flags share.', 'root');
INSERT INTO public.roles OVERRIDING SYSTEM VALUE VALUES (3, 'Viewer', 'Read access.', 'root');
INSERT INTO public.roles OVERRIDING SYSTEM VALUE VALUES (4, 'Owner', 'All permissions in the project.', 'project');
INSERT INTO public.roles OVERRIDING SYSTEM VALUE VALUES (5, 'Member', 'Can change the flags of the project.', 'project');
INSERT INTO public.segments OVERRIDING SYSTEM VALUE VALUES (1, 'staff', NULL, NULL, '[{"contextName":"userId","operator":"IN","values":["7"],"inverted":false,"caseInsensitive":false}]', 'admin', 1795808670579);
INSERT INTO public.settings VALUES ('instanceId', '2dc74d0f-ad86-4870-998d-b770a0b9c17e');
INSERT INTO public.settings VALUES ('firstAdmin', '{"userId":1,"username":"admin","passwordHash":"scrypt$32768$8$3$uCBC7n8UH/ymOLZ/yWnCWA==$PG0nkGSNMa6NWklAn2elvomGZ8Q5k8b0bYRKs7vJVjM=","isMadeUp":false,"madeAt":1795808669890}');
INSERT INTO public.strategy_types VALUES ('flexibleRollout', 'Gradual rollout', 'A share of users, sticky by a field of the context.', '[{"name":"rollout","type":"percentage","description":"Share of users","required":true},{"name":"stickiness","type":"string","description":"What a user keeps the result by","required":true},{"name":"groupId","type":"string","description":"Flags of one group give the same users the same result"}]', 0, 1, 0);
INSERT INTO public.strategy_types VALUES ('default', 'Standard', 'Everybody.', '[]', 0, 1, 1);
INSERT INTO public.strategy_types VALUES ('userWithId', 'User ids', 'Listed users.', '[{"name":"userIds","type":"list","description":"Ids of users"}]', 1, 1, 2);
INSERT INTO public.strategy_types VALUES ('remoteAddress', 'Addresses', 'Listed addresses and ranges.', '[{"name":"IPs","type":"list","description":"Addresses and CIDR ranges","required":true}]', 0, 1, 3);
INSERT INTO public.strategy_types VALUES ('applicationHostname', 'Hosts', 'Listed hosts.', '[{"name":"hostNames","type":"list","description":"Names of hosts"}]', 0, 1, 4);
INSERT INTO public.strategy_types VALUES ('gradualRolloutUserId', NULL, 'An older form of the gradual rollout.', '[{"name":"percentage","type":"percentage","description":"Share of users"}]', 1, 1, 5);
INSERT INTO public.strategy_types VALUES ('gradualRolloutSessionId', NULL, 'An older form of the gradual rollout.', '[{"name":"percentage","type":"percentage","description":"Share of users"}]', 1, 1, 6);
INSERT INTO public.strategy_types VALUES ('gradualRolloutRandom', NULL, 'An older form of the gradual rollout.', '[{"name":"percentage","type":"percentage","description":"Share of users"}]', 1, 1, 7);
INSERT INTO public.tag_types VALUES ('simple', 'Free labels', '#');
INSERT INTO public.tags VALUES ('simple', 'old');
INSERT INTO public.users OVERRIDING SYSTEM VALUE VALUES (1, 'admin', NULL, NULL, 'scrypt$32768$8$3$uCBC7n8UH/ymOLZ/yWnCWA==$PG0nkGSNMa6NWklAn2elvomGZ8Q5k8b0bYRKs7vJVjM=', 1, 0, 0, 1795808669890, NULL, 0, NULL, NULL, NULL, 1, 0, 1);
INSERT INTO public.users OVERRIDING SYSTEM VALUE VALUES (2, 'ada', NULL, 'Ada', 'scrypt$32768$8$3$OOp/7Cjep36PqVsvfscetQ==$iS4n9jPJOtKTfHrAJX8ve0hJxmWWpq64uVOtIGN+idI=', 2, 0, 0, 1795808672175, NULL, 0, NULL, NULL, NULL, 1, 0, 1);
SELECT pg_catalog.setval('public.change_request_changes_id_seq', 1, false);
SELECT pg_catalog.setval('public.change_request_comments_id_seq', 1, false);
SELECT pg_catalog.setval('public.change_requests_id_seq', 1, false);
SELECT pg_catalog.setval('public.events_id_seq', 15, true);
SELECT pg_catalog.setval('public.feature_comments_id_seq', 1, false);
SELECT pg_catalog.setval('public.groups_id_seq', 1, false);
SELECT pg_catalog.setval('public.integration_attempts_id_seq', 1, false);
SELECT pg_catalog.setval('public.integrations_id_seq', 1, false);
SELECT pg_catalog.setval('public.invite_links_id_seq', 1, false);
SELECT pg_catalog.setval('public.login_history_id_seq', 1, false);
SELECT pg_catalog.setval('public.personal_tokens_id_seq', 1, false);
SELECT pg_catalog.setval('public.roles_id_seq', 5, true);
SELECT pg_catalog.setval('public.segments_id_seq', 1, true);
SELECT pg_catalog.setval('public.users_id_seq', 2, true);
ALTER TABLE ONLY public.api_token_aliases
    ADD CONSTRAINT api_token_aliases_pkey PRIMARY KEY (hash);
ALTER TABLE ONLY public.api_token_callers
    ADD CONSTRAINT api_token_callers_pkey PRIMARY KEY (token_id);
ALTER TABLE ONLY public.api_token_projects
    ADD CONSTRAINT api_token_projects_key PRIMARY KEY (token_id, project);
ALTER TABLE ONLY public.api_token_secrets
    ADD CONSTRAINT api_token_secrets_pkey PRIMARY KEY (token_id);
ALTER TABLE ONLY public.api_tokens
    ADD CONSTRAINT api_tokens_hash_key UNIQUE (hash);
ALTER TABLE ONLY public.api_tokens
    ADD CONSTRAINT api_tokens_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.change_marks
    ADD CONSTRAINT change_marks_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.change_request_approvers
    ADD CONSTRAINT change_request_approvers_key PRIMARY KEY (request_id, user_id);
ALTER TABLE ONLY public.change_request_changes
    ADD CONSTRAINT change_request_changes_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.change_request_comments
    ADD CONSTRAINT change_request_comments_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.change_request_opinions
    ADD CONSTRAINT change_request_opinions_key PRIMARY KEY (request_id, user_id);
ALTER TABLE ONLY public.change_request_settings
    ADD CONSTRAINT change_request_settings_key PRIMARY KEY (project, environment);
ALTER TABLE ONLY public.change_requests
    ADD CONSTRAINT change_requests_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.client_application_reach
    ADD CONSTRAINT client_application_reach_key PRIMARY KEY (app_name, project, environment);
ALTER TABLE ONLY public.client_applications
    ADD CONSTRAINT client_applications_pkey PRIMARY KEY (app_name);
ALTER TABLE ONLY public.client_instance_projects
    ADD CONSTRAINT client_instance_projects_key PRIMARY KEY (app_name, instance_id, environment, project);
ALTER TABLE ONLY public.client_instances
    ADD CONSTRAINT client_instances_key PRIMARY KEY (app_name, instance_id, environment);
ALTER TABLE ONLY public.client_metrics
    ADD CONSTRAINT client_metrics_key PRIMARY KEY (feature_name, hour, environment, app_name);
ALTER TABLE ONLY public.client_metrics_variants
    ADD CONSTRAINT client_metrics_variants_key PRIMARY KEY (feature_name, hour, environment, app_name, variant);
ALTER TABLE ONLY public.context_fields
    ADD CONSTRAINT context_fields_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.database_epoch
    ADD CONSTRAINT database_epoch_pkey PRIMARY KEY (epoch);
ALTER TABLE ONLY public.environments
    ADD CONSTRAINT environments_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.event_search_blocks
    ADD CONSTRAINT event_search_blocks_pkey PRIMARY KEY (block);
ALTER TABLE ONLY public.event_search_postings
    ADD CONSTRAINT event_search_postings_pkey PRIMARY KEY (key);
ALTER TABLE ONLY public.events
    ADD CONSTRAINT events_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.feature_comments
    ADD CONSTRAINT feature_comments_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.feature_dependencies
    ADD CONSTRAINT feature_dependencies_key PRIMARY KEY (child, parent);
ALTER TABLE ONLY public.feature_environments
    ADD CONSTRAINT feature_environments_key PRIMARY KEY (feature_name, environment);
ALTER TABLE ONLY public.feature_favorites
    ADD CONSTRAINT feature_favorites_key PRIMARY KEY (user_id, feature_name);
ALTER TABLE ONLY public.feature_links
    ADD CONSTRAINT feature_links_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.feature_snoozes
    ADD CONSTRAINT feature_snoozes_pkey PRIMARY KEY (feature_name);
ALTER TABLE ONLY public.feature_stages
    ADD CONSTRAINT feature_stages_key PRIMARY KEY (feature_name, stage);
ALTER TABLE ONLY public.feature_strategies
    ADD CONSTRAINT feature_strategies_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.feature_strategy_segments
    ADD CONSTRAINT feature_strategy_segments_key PRIMARY KEY (strategy_id, segment_id);
ALTER TABLE ONLY public.feature_tags
    ADD CONSTRAINT feature_tags_key PRIMARY KEY (feature_name, type, value);
ALTER TABLE ONLY public.feature_types
    ADD CONSTRAINT feature_types_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.feature_values
    ADD CONSTRAINT feature_values_pkey PRIMARY KEY (feature_name);
ALTER TABLE ONLY public.features
    ADD CONSTRAINT features_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.feedback
    ADD CONSTRAINT feedback_key PRIMARY KEY (user_id, feedback_id);
ALTER TABLE ONLY public.flag_presences
    ADD CONSTRAINT flag_presences_pkey PRIMARY KEY (user_id);
ALTER TABLE ONLY public.group_members
    ADD CONSTRAINT group_members_key PRIMARY KEY (group_id, user_id);
ALTER TABLE ONLY public.groups
    ADD CONSTRAINT groups_name_key UNIQUE (name);
ALTER TABLE ONLY public.groups
    ADD CONSTRAINT groups_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.groups
    ADD CONSTRAINT groups_scim_id_key UNIQUE (scim_id);
ALTER TABLE ONLY public.hidden_presences
    ADD CONSTRAINT hidden_presences_pkey PRIMARY KEY (user_id);
ALTER TABLE ONLY public.integration_attempts
    ADD CONSTRAINT integration_attempts_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.integration_deliveries
    ADD CONSTRAINT integration_deliveries_key PRIMARY KEY (integration_id, event_id);
ALTER TABLE ONLY public.integration_lease
    ADD CONSTRAINT integration_lease_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.integration_project_grants
    ADD CONSTRAINT integration_project_grants_key PRIMARY KEY (integration_id, project);
ALTER TABLE ONLY public.integrations
    ADD CONSTRAINT integrations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.invite_link_users
    ADD CONSTRAINT invite_link_users_key PRIMARY KEY (link_id, user_id);
ALTER TABLE ONLY public.invite_links
    ADD CONSTRAINT invite_links_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.invite_links
    ADD CONSTRAINT invite_links_secret_key UNIQUE (secret);
ALTER TABLE ONLY public.known_networks
    ADD CONSTRAINT known_networks_key PRIMARY KEY (user_id, network_hash);
ALTER TABLE ONLY public.kysely_migration_lock
    ADD CONSTRAINT kysely_migration_lock_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.kysely_migration
    ADD CONSTRAINT kysely_migration_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.login_history
    ADD CONSTRAINT login_history_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.notification_reads
    ADD CONSTRAINT notification_reads_pkey PRIMARY KEY (user_id);
ALTER TABLE ONLY public.personal_tokens
    ADD CONSTRAINT personal_tokens_hash_key UNIQUE (hash);
ALTER TABLE ONLY public.personal_tokens
    ADD CONSTRAINT personal_tokens_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.project_environment_defaults
    ADD CONSTRAINT project_environment_defaults_key PRIMARY KEY (project, environment);
ALTER TABLE ONLY public.project_environments
    ADD CONSTRAINT project_environments_key PRIMARY KEY (project, environment);
ALTER TABLE ONLY public.project_favorites
    ADD CONSTRAINT project_favorites_key PRIMARY KEY (user_id, project);
ALTER TABLE ONLY public.project_groups
    ADD CONSTRAINT project_groups_key PRIMARY KEY (project, group_id, role_id);
ALTER TABLE ONLY public.project_members
    ADD CONSTRAINT project_members_key PRIMARY KEY (project, user_id, role_id);
ALTER TABLE ONLY public.projects
    ADD CONSTRAINT projects_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.removed_private_projects
    ADD CONSTRAINT removed_private_projects_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.reset_tokens
    ADD CONSTRAINT reset_tokens_pkey PRIMARY KEY (hash);
ALTER TABLE ONLY public.roles
    ADD CONSTRAINT roles_name_key UNIQUE (name);
ALTER TABLE ONLY public.roles
    ADD CONSTRAINT roles_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.sampled_environments
    ADD CONSTRAINT sampled_environments_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.segments
    ADD CONSTRAINT segments_name_key UNIQUE (name);
ALTER TABLE ONLY public.segments
    ADD CONSTRAINT segments_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (hash);
ALTER TABLE ONLY public.settings
    ADD CONSTRAINT settings_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.splash
    ADD CONSTRAINT splash_key PRIMARY KEY (user_id, splash_id);
ALTER TABLE ONLY public.sso_identities
    ADD CONSTRAINT sso_identities_key PRIMARY KEY (issuer, subject);
ALTER TABLE ONLY public.strategy_types
    ADD CONSTRAINT strategy_types_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.tag_types
    ADD CONSTRAINT tag_types_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.tags
    ADD CONSTRAINT tags_key PRIMARY KEY (type, value);
ALTER TABLE ONLY public.unknown_flag_projects
    ADD CONSTRAINT unknown_flag_projects_key PRIMARY KEY (name, app_name, environment, project);
ALTER TABLE ONLY public.unknown_flags
    ADD CONSTRAINT unknown_flags_key PRIMARY KEY (name, app_name, environment);
ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_username_key UNIQUE (username);
CREATE INDEX change_request_changes_by_feature ON public.change_request_changes USING btree (feature_name);
CREATE INDEX change_request_changes_of ON public.change_request_changes USING btree (request_id, id);
CREATE INDEX change_request_comments_of ON public.change_request_comments USING btree (request_id, id);
CREATE INDEX change_requests_by_maker ON public.change_requests USING btree (created_by_user_id, id);
CREATE INDEX change_requests_by_schedule ON public.change_requests USING btree (schedule_status, scheduled_at);
CREATE INDEX change_requests_by_state ON public.change_requests USING btree (state, id);
CREATE INDEX change_requests_of_project ON public.change_requests USING btree (project, state, id);
CREATE INDEX client_metrics_by_app ON public.client_metrics USING btree (app_name, environment, hour);
CREATE INDEX client_metrics_by_hour ON public.client_metrics USING btree (hour);
CREATE INDEX client_metrics_variants_by_hour ON public.client_metrics_variants USING btree (hour);
CREATE INDEX dependencies_by_parent ON public.feature_dependencies USING btree (parent);
CREATE INDEX events_by_author ON public.events USING btree (created_by, id);
CREATE INDEX events_by_environment ON public.events USING btree (environment, id);
CREATE INDEX events_by_feature ON public.events USING btree (feature_name, id);
CREATE INDEX events_by_project ON public.events USING btree (project, id);
CREATE INDEX events_by_project_and_type ON public.events USING btree (project, type, created_at, feature_name, environment);
CREATE INDEX events_by_reach ON public.events USING btree (reach, id);
CREATE INDEX events_by_type ON public.events USING btree (type, id);
CREATE INDEX events_by_user ON public.events USING btree (created_by_user_id, id);
CREATE INDEX feature_comments_of ON public.feature_comments USING btree (feature_name, id);
CREATE INDEX feature_favorites_of ON public.feature_favorites USING btree (feature_name);
CREATE INDEX feature_links_of ON public.feature_links USING btree (feature_name);
CREATE INDEX features_by_maker ON public.features USING btree (created_by_user_id);
CREATE INDEX features_by_project ON public.features USING btree (project);
CREATE INDEX flag_presences_of ON public.flag_presences USING btree (feature_name);
CREATE INDEX group_members_by_user ON public.group_members USING btree (user_id);
CREATE INDEX groups_by_root_role ON public.groups USING btree (root_role);
CREATE INDEX integration_attempts_of ON public.integration_attempts USING btree (integration_id, id);
CREATE INDEX invite_link_users_by_user ON public.invite_link_users USING btree (user_id);
CREATE INDEX login_history_by_time ON public.login_history USING btree (created_at);
CREATE INDEX members_by_user ON public.project_members USING btree (user_id);
CREATE INDEX personal_tokens_by_user ON public.personal_tokens USING btree (user_id);
CREATE INDEX project_groups_by_group ON public.project_groups USING btree (group_id);
CREATE INDEX project_groups_by_role ON public.project_groups USING btree (role_id);
CREATE INDEX project_members_by_role ON public.project_members USING btree (role_id);
CREATE INDEX reset_tokens_by_user ON public.reset_tokens USING btree (user_id);
CREATE INDEX role_permissions_by_environment ON public.role_permissions USING btree (environment);
CREATE INDEX role_permissions_by_role ON public.role_permissions USING btree (role_id);
CREATE INDEX sessions_by_user ON public.sessions USING btree (user_id);
CREATE INDEX sso_identities_by_user ON public.sso_identities USING btree (user_id);
CREATE INDEX strategies_by_environment ON public.feature_strategies USING btree (feature_name, environment);
CREATE INDEX strategies_by_segment ON public.feature_strategy_segments USING btree (segment_id);
CREATE INDEX token_aliases_by_token ON public.api_token_aliases USING btree (token_id);
CREATE UNIQUE INDEX users_by_email ON public.users USING btree (lower(email));
CREATE INDEX users_by_root_role ON public.users USING btree (root_role);
CREATE UNIQUE INDEX users_by_scim_id ON public.users USING btree (scim_id);
ALTER TABLE ONLY public.api_token_aliases
    ADD CONSTRAINT api_token_aliases_token_id_fkey FOREIGN KEY (token_id) REFERENCES public.api_tokens(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.api_token_callers
    ADD CONSTRAINT api_token_callers_token_id_fkey FOREIGN KEY (token_id) REFERENCES public.api_tokens(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.api_token_projects
    ADD CONSTRAINT api_token_projects_project_fkey FOREIGN KEY (project) REFERENCES public.projects(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.api_token_projects
    ADD CONSTRAINT api_token_projects_token_id_fkey FOREIGN KEY (token_id) REFERENCES public.api_tokens(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.api_token_secrets
    ADD CONSTRAINT api_token_secrets_token_id_fkey FOREIGN KEY (token_id) REFERENCES public.api_tokens(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.change_request_approvers
    ADD CONSTRAINT change_request_approvers_request_id_fkey FOREIGN KEY (request_id) REFERENCES public.change_requests(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.change_request_approvers
    ADD CONSTRAINT change_request_approvers_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.change_request_changes
    ADD CONSTRAINT change_request_changes_request_id_fkey FOREIGN KEY (request_id) REFERENCES public.change_requests(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.change_request_comments
    ADD CONSTRAINT change_request_comments_request_id_fkey FOREIGN KEY (request_id) REFERENCES public.change_requests(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.change_request_opinions
    ADD CONSTRAINT change_request_opinions_request_id_fkey FOREIGN KEY (request_id) REFERENCES public.change_requests(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.change_request_opinions
    ADD CONSTRAINT change_request_opinions_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.change_request_settings
    ADD CONSTRAINT change_request_settings_environment_fkey FOREIGN KEY (environment) REFERENCES public.environments(name) ON DELETE CASCADE;
ALTER TABLE ONLY public.change_request_settings
    ADD CONSTRAINT change_request_settings_project_fkey FOREIGN KEY (project) REFERENCES public.projects(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.change_requests
    ADD CONSTRAINT change_requests_project_fkey FOREIGN KEY (project) REFERENCES public.projects(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.client_application_reach
    ADD CONSTRAINT client_application_reach_app_name_fkey FOREIGN KEY (app_name) REFERENCES public.client_applications(app_name) ON DELETE CASCADE;
ALTER TABLE ONLY public.client_instance_projects
    ADD CONSTRAINT client_instance_projects_of FOREIGN KEY (app_name, instance_id, environment) REFERENCES public.client_instances(app_name, instance_id, environment) ON DELETE CASCADE;
ALTER TABLE ONLY public.feature_comments
    ADD CONSTRAINT feature_comments_feature_name_fkey FOREIGN KEY (feature_name) REFERENCES public.features(name) ON DELETE CASCADE;
ALTER TABLE ONLY public.feature_dependencies
    ADD CONSTRAINT feature_dependencies_child_fkey FOREIGN KEY (child) REFERENCES public.features(name) ON DELETE CASCADE;
ALTER TABLE ONLY public.feature_dependencies
    ADD CONSTRAINT feature_dependencies_parent_fkey FOREIGN KEY (parent) REFERENCES public.features(name);
ALTER TABLE ONLY public.feature_environments
    ADD CONSTRAINT feature_environments_environment_fkey FOREIGN KEY (environment) REFERENCES public.environments(name) ON DELETE CASCADE;
ALTER TABLE ONLY public.feature_environments
    ADD CONSTRAINT feature_environments_feature_name_fkey FOREIGN KEY (feature_name) REFERENCES public.features(name) ON DELETE CASCADE;
ALTER TABLE ONLY public.feature_favorites
    ADD CONSTRAINT feature_favorites_feature_name_fkey FOREIGN KEY (feature_name) REFERENCES public.features(name) ON DELETE CASCADE;
ALTER TABLE ONLY public.feature_favorites
    ADD CONSTRAINT feature_favorites_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.feature_links
    ADD CONSTRAINT feature_links_feature_name_fkey FOREIGN KEY (feature_name) REFERENCES public.features(name) ON DELETE CASCADE;
ALTER TABLE ONLY public.feature_snoozes
    ADD CONSTRAINT feature_snoozes_feature_name_fkey FOREIGN KEY (feature_name) REFERENCES public.features(name) ON DELETE CASCADE;
ALTER TABLE ONLY public.feature_stages
    ADD CONSTRAINT feature_stages_feature_name_fkey FOREIGN KEY (feature_name) REFERENCES public.features(name) ON DELETE CASCADE;
ALTER TABLE ONLY public.feature_strategies
    ADD CONSTRAINT feature_strategies_environment FOREIGN KEY (feature_name, environment) REFERENCES public.feature_environments(feature_name, environment) ON DELETE CASCADE;
ALTER TABLE ONLY public.feature_strategy_segments
    ADD CONSTRAINT feature_strategy_segments_segment_id_fkey FOREIGN KEY (segment_id) REFERENCES public.segments(id);
ALTER TABLE ONLY public.feature_strategy_segments
    ADD CONSTRAINT feature_strategy_segments_strategy_id_fkey FOREIGN KEY (strategy_id) REFERENCES public.feature_strategies(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.feature_tags
    ADD CONSTRAINT feature_tags_feature_name_fkey FOREIGN KEY (feature_name) REFERENCES public.features(name) ON DELETE CASCADE;
ALTER TABLE ONLY public.feature_tags
    ADD CONSTRAINT feature_tags_tag FOREIGN KEY (type, value) REFERENCES public.tags(type, value) ON DELETE CASCADE;
ALTER TABLE ONLY public.feature_values
    ADD CONSTRAINT feature_values_feature_name_fkey FOREIGN KEY (feature_name) REFERENCES public.features(name) ON DELETE CASCADE;
ALTER TABLE ONLY public.features
    ADD CONSTRAINT features_project_fkey FOREIGN KEY (project) REFERENCES public.projects(id);
ALTER TABLE ONLY public.feedback
    ADD CONSTRAINT feedback_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.flag_presences
    ADD CONSTRAINT flag_presences_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.group_members
    ADD CONSTRAINT group_members_group_id_fkey FOREIGN KEY (group_id) REFERENCES public.groups(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.group_members
    ADD CONSTRAINT group_members_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.groups
    ADD CONSTRAINT groups_root_role_fkey FOREIGN KEY (root_role) REFERENCES public.roles(id);
ALTER TABLE ONLY public.hidden_presences
    ADD CONSTRAINT hidden_presences_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.integration_attempts
    ADD CONSTRAINT integration_attempts_integration_id_fkey FOREIGN KEY (integration_id) REFERENCES public.integrations(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.integration_deliveries
    ADD CONSTRAINT integration_deliveries_integration_id_fkey FOREIGN KEY (integration_id) REFERENCES public.integrations(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.integration_project_grants
    ADD CONSTRAINT integration_project_grants_integration_id_fkey FOREIGN KEY (integration_id) REFERENCES public.integrations(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.invite_link_users
    ADD CONSTRAINT invite_link_users_link_id_fkey FOREIGN KEY (link_id) REFERENCES public.invite_links(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.invite_link_users
    ADD CONSTRAINT invite_link_users_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.known_networks
    ADD CONSTRAINT known_networks_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.notification_reads
    ADD CONSTRAINT notification_reads_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.personal_tokens
    ADD CONSTRAINT personal_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.project_environment_defaults
    ADD CONSTRAINT project_environment_defaults_link FOREIGN KEY (project, environment) REFERENCES public.project_environments(project, environment) ON DELETE CASCADE;
ALTER TABLE ONLY public.project_environments
    ADD CONSTRAINT project_environments_environment_fkey FOREIGN KEY (environment) REFERENCES public.environments(name) ON DELETE CASCADE;
ALTER TABLE ONLY public.project_environments
    ADD CONSTRAINT project_environments_project_fkey FOREIGN KEY (project) REFERENCES public.projects(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.project_favorites
    ADD CONSTRAINT project_favorites_project_fkey FOREIGN KEY (project) REFERENCES public.projects(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.project_favorites
    ADD CONSTRAINT project_favorites_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.project_groups
    ADD CONSTRAINT project_groups_group_id_fkey FOREIGN KEY (group_id) REFERENCES public.groups(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.project_groups
    ADD CONSTRAINT project_groups_project_fkey FOREIGN KEY (project) REFERENCES public.projects(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.project_groups
    ADD CONSTRAINT project_groups_role_id_fkey FOREIGN KEY (role_id) REFERENCES public.roles(id);
ALTER TABLE ONLY public.project_members
    ADD CONSTRAINT project_members_project_fkey FOREIGN KEY (project) REFERENCES public.projects(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.project_members
    ADD CONSTRAINT project_members_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.reset_tokens
    ADD CONSTRAINT reset_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.role_permissions
    ADD CONSTRAINT role_permissions_environment_fkey FOREIGN KEY (environment) REFERENCES public.environments(name) ON DELETE CASCADE;
ALTER TABLE ONLY public.role_permissions
    ADD CONSTRAINT role_permissions_role_id_fkey FOREIGN KEY (role_id) REFERENCES public.roles(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.sampled_environments
    ADD CONSTRAINT sampled_environments_name_fkey FOREIGN KEY (name) REFERENCES public.environments(name) ON DELETE CASCADE;
ALTER TABLE ONLY public.segments
    ADD CONSTRAINT segments_project_fkey FOREIGN KEY (project) REFERENCES public.projects(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.splash
    ADD CONSTRAINT splash_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.sso_identities
    ADD CONSTRAINT sso_identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.tags
    ADD CONSTRAINT tags_type_fkey FOREIGN KEY (type) REFERENCES public.tag_types(name) ON DELETE CASCADE;
ALTER TABLE ONLY public.unknown_flag_projects
    ADD CONSTRAINT unknown_flag_projects_of FOREIGN KEY (name, app_name, environment) REFERENCES public.unknown_flags(name, app_name, environment) ON DELETE CASCADE;
